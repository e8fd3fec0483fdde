import {
  CancelInput,
  OptionalRunStart,
  RerunAnswer,
  RerunInput,
  RunDetail,
  RunParams,
  RunQuery,
  RunStarted,
  RunStartParams,
  RunStatusAnswer,
  RunSummary,
} from '@signalbox/contracts/runs'
import { Type } from 'typebox'
import { answer, defineRoute, linkNext, originOf, type Route, streamAnswer } from '#platform/http'
import type { Kit } from '#platform/room'
import { eventStream, SSE_HEADERS } from '#platform/sse'
import { cancelRun } from '../actions/cancel-run.ts'
import type { CompareNeeds } from '../actions/compare-runs.ts'
import { type DescribeNeeds, describeRun } from '../actions/describe-run.ts'
import { findVisibleRun, findVisibleStatus } from '../actions/find-visible-run.ts'
import { followRun } from '../actions/follow-run.ts'
import { listVisibleRuns } from '../actions/list-visible-runs.ts'
import { type RerunNeeds, rerunRun } from '../actions/rerun-run.ts'
import { type StartNeeds, startRun } from '../actions/start-run.ts'
import { presentDetail, presentStatus, presentSummary } from './present-run.ts'
import { resultRoutes } from './results.ts'

export type RouteNeeds = StartNeeds &
  CompareNeeds &
  RerunNeeds &
  DescribeNeeds &
  Parameters<typeof listVisibleRuns>[1] &
  Parameters<typeof cancelRun>[1]

const common = { tag: 'runs', class: 'authorized' } as const

export function runRoutes(kit: Kit, needs: RouteNeeds): Route[] {
  return [...reading(kit, needs), ...resultRoutes(kit, needs), ...moving(kit, needs)]
}

function reading(kit: Kit, needs: RouteNeeds): Route[] {
  const db = kit.database.kysely
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs',
      summary: 'List runs, newest first',
      permission: 'run.read',
      schema: { query: RunQuery },
      responses: { 200: Type.Array(RunSummary) },
      handle: async (request) => {
        const page = await listVisibleRuns(kit, needs, request.caller, request.query)
        return answer(200, page.items.map(presentSummary), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs/:id',
      summary: 'Show a run with its execution graph and the state of each part',
      permission: 'run.read',
      schema: { params: RunParams },
      responses: { 200: RunDetail },
      handle: async (request) => {
        const run = await findVisibleRun(db, request.caller, request.params.id)
        return answer(200, presentDetail(await describeRun(kit, needs, run)))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs/:id/status',
      summary: 'Where a run stands; cheap to poll',
      permission: 'run.read',
      schema: { params: RunParams },
      responses: { 200: RunStatusAnswer },
      handle: async (request) =>
        answer(200, presentStatus(await findVisibleStatus(db, request.caller, request.params.id))),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runs/:id/events',
      summary: 'Follow the states of a run, its steps and its tasks until it has finished',
      permission: 'run.read',
      schema: { params: RunParams },
      responses: { 200: 'stream' },
      handle: async (request) => {
        const { id } = await findVisibleStatus(db, request.caller, request.params.id)
        const { signal } = request
        return streamAnswer(eventStream(followRun(kit, id, signal), { clock: kit.clock, signal }), SSE_HEADERS)
      },
    }),
  ]
}

function moving(kit: Kit, needs: RouteNeeds): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/pipelines/:id/runs',
      summary: 'Run a pipeline now',
      permission: 'run.start',
      schema: { params: RunStartParams, body: OptionalRunStart },
      responses: { 202: RunStarted },
      handle: async (request) => {
        const started = await startRun(kit, needs, originOf(request), request.params.id, request.body ?? {})
        const { id, commitSha, note } = started
        const body = { run_id: id, status: 'queued', commit_sha: commitSha, note }
        return answer(202, body, { location: `/v1/runs/${id}` })
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/runs/:id/cancel',
      summary: 'Cancel a run that is queued or in flight',
      permission: 'run.cancel',
      schema: { params: RunParams, body: CancelInput },
      responses: { 202: RunStatusAnswer },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const run = await cancelRun(kit, needs, originOf(request), request.params.id, request.body?.reason)
        return answer(202, presentStatus(run))
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/runs/:id/rerun',
      summary: 'Start a new run from the same definition',
      permission: 'run.rerun',
      schema: { params: RunParams, body: RerunInput },
      responses: { 202: RerunAnswer },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { id } = request.params
        const runId = await rerunRun(kit, needs, originOf(request), id, request.body ?? {})
        return answer(202, { runId, run_id: runId, status: 'queued' }, { location: `/v1/runs/${runId}` })
      },
    }),
  ]
}
