import * as shapes from '@signalbox/contracts/runs'
import { resultRoutes as stated } from '@signalbox/contracts/runs/routes'
import { answer, type Route, serve } from '#platform/http'
import { toWireTime } from '#platform/time'
import { compareRuns } from '../actions/compare-runs.ts'
import { explainChanges } from '../actions/explain-changes.ts'
import { findLastSuccess } from '../actions/find-last-success.ts'
import { readRunOutput, readRunOutputs } from '../actions/read-final-outputs.ts'
import { readOutputs } from '../actions/read-outputs.ts'
import type { Means } from '../means.ts'
import type { FinalOutputRow } from '../store/final-outputs.ts'
import { presentChanges, presentLastSuccess } from './present-changes.ts'
import { presentComparison } from './present-comparison.ts'

/** The results of a run: outputs of its tasks, final outputs, and the differences from another run. */
export function resultRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    listRunOutputs: async (request) => answer(200, await readOutputs(means, request.caller, request.params.id)),
    listFinalOutputs: async (request) =>
      answer(200, (await readRunOutputs(means, request.caller, request.params.id)).map(present)),
    getFinalOutput: async (request) => {
      const { id, name } = request.params
      return answer(200, present(await readRunOutput(means, request.caller, id, name)))
    },
    compareRuns: async (request) =>
      answer(200, presentComparison(await compareRuns(means, request.caller, request.params))),
    getLastSuccess: async (request) =>
      answer(200, presentLastSuccess(await findLastSuccess(means, request.caller, request.params.id))),
    explainChanges: async (request) =>
      answer(200, presentChanges(await explainChanges(means, request.caller, request.query))),
  })
}

function present({ name, format, content, generated_at }: FinalOutputRow): shapes.FinalOutput {
  const known = format === 'markdown' || format === 'json' ? format : 'text'
  return { name, format: known, content, generated_at: toWireTime(generated_at) }
}
