import * as shapes from '@signalbox/contracts/runs'
import { runRoutes as stated } from '@signalbox/contracts/runs/routes'
import { answer, linkNext, originOf, type Route, serve, streamAnswer } from '#platform/http'
import type { Problem } from '#platform/problems'
import { eventStream, MOST_STREAMS, SSE_HEADERS, StreamCount } from '#platform/sse'
import { cancelRun } from '../actions/cancel-run.ts'
import { describeRun } from '../actions/describe-run.ts'
import { findVisibleRun, findVisibleStatus } from '../actions/find-visible-run.ts'
import { followRun } from '../actions/follow-run.ts'
import { listPipelineResults, listVisibleRuns } from '../actions/list-visible-runs.ts'
import { rerunRun } from '../actions/rerun-run.ts'
import { startRun } from '../actions/start-run.ts'
import { tryCancel, tryRerun, tryStart } from '../actions/try-run.ts'
import { waitForStatus } from '../actions/wait-for-status.ts'
import { runProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { presentDryRun } from './present-dry-run.ts'
import { presentDetail, presentResult, presentStatus, presentSummary } from './present-run.ts'
import { resultRoutes } from './results.ts'

export function runRoutes(means: Means): Route[] {
  const followers = new StreamCount()
  const own = serve(stated, shapes, {
    listRuns: async (request) => {
      const page = await listVisibleRuns(means, request.caller, request.query)
      return answer(200, page.items.map(presentSummary), linkNext(request.url, page))
    },
    listPipelineResults: async (request) => {
      const found = await listPipelineResults(means, request.caller, request.query)
      return answer(
        200,
        Array.from(found, ([pipeline_id, runs]) => ({ pipeline_id, runs: runs.map(presentResult) })),
      )
    },
    getRun: async (request) => {
      const run = await findVisibleRun(means, request.caller, request.params.id)
      return answer(200, presentDetail(await describeRun(means, run, request.caller)))
    },
    getRunStatus: async (request) => {
      const { caller, params, query, signal } = request
      return answer(200, presentStatus(await waitForStatus(means, caller, { ...query, ...params, signal })))
    },
    followRun: async (request) => {
      const { id } = await findVisibleStatus(means, request.caller, request.params.id)
      const { signal } = request
      if (!followers.take(request.caller, signal)) throw tooManyStreams()
      return streamAnswer(eventStream(followRun(means, id, signal), { clock: means.clock, signal }), SSE_HEADERS)
    },
    startRun: async (request) => {
      const [origin, pipeline, input] = [originOf(request), request.params.id, request.body ?? {}]
      if (request.query.dry_run) return answer(200, presentDryRun(await tryStart(means, origin, pipeline, input)))
      const started = await startRun(means, origin, pipeline, input)
      const { id, commitSha, note } = started
      const body = { run_id: id, status: 'queued', commit_sha: commitSha, note }
      return answer(202, body, { location: `/v1/runs/${id}` })
    },
    cancelRun: async (request) => {
      const [origin, id, reason] = [originOf(request), request.params.id, request.body?.reason]
      if (request.query.dry_run) return answer(200, presentDryRun(await tryCancel(means, origin, id, reason)))
      const run = await cancelRun(means, origin, id, reason)
      return answer(202, presentStatus(run))
    },
    rerunRun: async (request) => {
      const [origin, id, wish] = [originOf(request), request.params.id, request.body ?? {}]
      if (request.query.dry_run) return answer(200, presentDryRun(await tryRerun(means, origin, id, wish)))
      const runId = await rerunRun(means, origin, id, wish)
      return answer(202, { runId, run_id: runId, status: 'queued' }, { location: `/v1/runs/${runId}` })
    },
  })
  return [...own, ...resultRoutes(means)]
}

/** Each stream looks at its run every other second: one account must not slow down all. */
function tooManyStreams(): Problem {
  const detail = `You follow ${MOST_STREAMS} runs already: end one of the streams, then ask again.`
  return runProblem('run.too_many_streams', detail, { headers: { 'retry-after': '10' } })
}
