import {
  CompareParams,
  FinalOutput,
  FinalOutputParams,
  RunComparison,
  RunOutput,
  RunParams,
} from '@signalbox/contracts/runs'
import { Type } from 'typebox'
import { answer, defineRoute, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import { type CompareNeeds, compareRuns } from '../actions/compare-runs.ts'
import { readRunOutput, readRunOutputs } from '../actions/read-final-outputs.ts'
import { readOutputs } from '../actions/read-outputs.ts'
import type { FinalOutputRow } from '../store/final-outputs.ts'
import { presentComparison } from './present-comparison.ts'

const common = { tag: 'runs', class: 'authorized', permission: 'run.read' } as const

/** What came of a run: outputs of its tasks, final outputs, and how it differs from another. */
export function resultRoutes(kit: Kit, needs: CompareNeeds): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs/:id/outputs',
      summary: 'Outputs of the tasks of a run; the values of sensitive ones are never returned',
      schema: { params: RunParams },
      responses: { 200: Type.Array(RunOutput) },
      handle: async (request) => answer(200, await readOutputs(kit, request.caller, request.params.id)),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs/:id/final-outputs',
      summary: 'What was made of a run once it was over, in the order of the document; see final_output_status',
      schema: { params: RunParams },
      responses: { 200: Type.Array(FinalOutput) },
      handle: async (request) =>
        answer(200, (await readRunOutputs(kit, request.caller, request.params.id)).map(present)),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs/:id/final-outputs/:name',
      summary: 'One final output',
      schema: { params: FinalOutputParams },
      responses: { 200: FinalOutput },
      handle: async (request) => {
        const { id, name } = request.params
        return answer(200, present(await readRunOutput(kit, request.caller, id, name)))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs/:id/compare/:other',
      summary: 'How two runs differ: document, variables, commit, runners, durations and outcome',
      schema: { params: CompareParams },
      responses: { 200: RunComparison },
      handle: async (request) =>
        answer(200, presentComparison(await compareRuns(kit, needs, request.caller, request.params))),
    }),
  ]
}

function present({ name, format, content, generated_at }: FinalOutputRow): FinalOutput {
  const known = format === 'markdown' || format === 'json' ? format : 'text'
  return { name, format: known, content, generated_at: toWireTime(generated_at) }
}
