import * as shapes from '@signalbox/contracts/runs'
import { resultRoutes as stated } from '@signalbox/contracts/runs/routes'
import { answer, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime } from '#platform/time'
import { type CompareNeeds, compareRuns } from '../actions/compare-runs.ts'
import { readRunOutput, readRunOutputs } from '../actions/read-final-outputs.ts'
import { readOutputs } from '../actions/read-outputs.ts'
import type { FinalOutputRow } from '../store/final-outputs.ts'
import { presentComparison } from './present-comparison.ts'

/** What came of a run: outputs of its tasks, final outputs, and how it differs from another. */
export function resultRoutes(kit: Kit, needs: CompareNeeds): Route[] {
  return serve(stated, shapes, {
    listRunOutputs: async (request) => answer(200, await readOutputs(kit, request.caller, request.params.id)),
    listFinalOutputs: async (request) =>
      answer(200, (await readRunOutputs(kit, request.caller, request.params.id)).map(present)),
    getFinalOutput: async (request) => {
      const { id, name } = request.params
      return answer(200, present(await readRunOutput(kit, request.caller, id, name)))
    },
    compareRuns: async (request) =>
      answer(200, presentComparison(await compareRuns(kit, needs, request.caller, request.params))),
  })
}

function present({ name, format, content, generated_at }: FinalOutputRow): shapes.FinalOutput {
  const known = format === 'markdown' || format === 'json' ? format : 'text'
  return { name, format: known, content, generated_at: toWireTime(generated_at) }
}
