import { pageQuery, strict } from '@signalbox/contracts/http'
import {
  NewRunnerEnrollment,
  Runner as RunnerBody,
  RunnerChange,
  RunnerEnrollment,
  RunnerEnrollmentInput,
  RunnerParams,
  RunnerQuery,
} from '@signalbox/contracts/runners'
import { Type } from 'typebox'
import { answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import { changeRunner, getVisibleRunner, listVisibleRunners, removeRunner } from './actions/change-runner.ts'
import { createEnrollment, type EnrollmentNeeds } from './actions/create-enrollment.ts'
import { getVisibleEnrollment, listEnrollments, revokeEnrollment } from './actions/revoke-enrollment.ts'
import { isReachable, type Runner } from './rules/index.ts'
import type { EnrollmentRow } from './store/index.ts'

const common = { tag: 'runners', class: 'authorized' } as const

export function runnerRoutes(kit: Kit, needs: EnrollmentNeeds): Route[] {
  return [...enrollments(kit, needs), ...runners(kit, needs)]
}

function enrollments(kit: Kit, needs: EnrollmentNeeds): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path: '/v1/runners/enrollments',
      summary: 'Make a token with which one runner enrols',
      permission: 'runner.write',
      schema: { body: RunnerEnrollmentInput },
      responses: { 201: NewRunnerEnrollment },
      handle: async (request) => {
        const { team_path, scopes, labels, expires_at } = request.body
        const { enrollment, token } = await createEnrollment(kit, needs, originOf(request), {
          teamPath: team_path,
          scopes,
          labels: labels ?? [],
          expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
        })
        const headers = { location: `/v1/runners/enrollments/${enrollment.id}`, 'cache-control': 'no-store' }
        return answer(201, { ...presentEnrollment(enrollment), token }, headers)
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runners/enrollments',
      summary: 'List enrolments, newest first; their tokens are not told again',
      permission: 'runner.write',
      schema: { query: Type.Object(pageQuery, strict) },
      responses: { 200: Type.Array(RunnerEnrollment) },
      handle: async (request) => {
        const page = await listEnrollments(kit, request.caller, request.query)
        return answer(200, page.items.map(presentEnrollment), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runners/enrollments/:id',
      summary: 'Show an enrolment',
      permission: 'runner.write',
      schema: { params: RunnerParams },
      responses: { 200: RunnerEnrollment },
      handle: async (request) =>
        answer(200, presentEnrollment(await getVisibleEnrollment(kit, request.caller, request.params.id))),
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/v1/runners/enrollments/:id',
      summary: 'Revoke an enrolment token that was not used',
      permission: 'runner.write',
      schema: { params: RunnerParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await revokeEnrollment(kit, needs, originOf(request), request.params.id)
        return answer(204)
      },
    }),
  ]
}

function runners(kit: Kit, needs: EnrollmentNeeds): Route[] {
  const present = (runner: Runner): RunnerBody =>
    presentRunner(runner, isReachable(runner, { now: kit.clock.now(), leaseMs: kit.config.leaseSeconds * 1000 }))
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runners',
      summary: 'List runners, newest first',
      permission: 'runner.read',
      schema: { query: RunnerQuery },
      responses: { 200: Type.Array(RunnerBody) },
      handle: async (request) => {
        const page = await listVisibleRunners(kit, request.caller, request.query)
        return answer(200, page.items.map(present), linkNext(request.url, page))
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/v1/runners/:id',
      summary: 'Show a runner',
      permission: 'runner.read',
      schema: { params: RunnerParams },
      responses: { 200: RunnerBody },
      handle: async (request) => {
        const runner = await getVisibleRunner(kit, request.caller, request.params.id)
        return answer(200, present(runner), { etag: etagOf(runner.updatedAt) })
      },
    }),
    defineRoute({
      ...common,
      method: 'PATCH',
      path: '/v1/runners/:id',
      summary: 'Enable, disable, drain, rename or relabel a runner',
      permission: 'runner.write',
      schema: { params: RunnerParams, body: RunnerChange },
      responses: { 200: RunnerBody },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { name, scopes, labels, enabled, draining } = request.body
        const runner = await changeRunner(kit, needs, originOf(request), {
          id: request.params.id,
          ifMatch: request.headers['if-match'],
          changes: { name, scopes, labels, enabled, draining },
        })
        return answer(200, present(runner), { etag: etagOf(runner.updatedAt) })
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: '/v1/runners/:id',
      summary: 'Remove a runner; its credential opens nothing any more',
      permission: 'runner.write',
      schema: { params: RunnerParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const input = { id: request.params.id, ifMatch: request.headers['if-match'] }
        await removeRunner(kit, needs, originOf(request), input)
        return answer(204)
      },
    }),
  ]
}

function presentRunner(runner: Runner, connected: boolean): RunnerBody {
  return {
    id: runner.id,
    name: runner.name,
    team_path: runner.teamPath,
    scopes: [...runner.scopes],
    labels: [...runner.labels],
    offered_labels: [...runner.offeredLabels],
    executors: [...runner.executors],
    capacity: runner.capacity,
    version: runner.version,
    enabled: runner.enabled,
    draining: runner.draining,
    leaving: runner.leaving,
    connected,
    connected_at: toWireTimeOrNull(runner.connectedAt),
    last_seen_at: toWireTimeOrNull(runner.lastSeenAt),
    created_at: toWireTime(runner.createdAt),
    updated_at: toWireTime(runner.updatedAt),
  }
}

function presentEnrollment(row: EnrollmentRow): RunnerEnrollment {
  return {
    id: row.id,
    team_path: row.teamPath,
    scopes: [...row.scopes],
    labels: [...row.labels],
    expires_at: toWireTime(row.expiresAt),
    used_at: toWireTimeOrNull(row.usedAt),
    created_by: row.createdBy,
    created_at: toWireTime(row.createdAt),
  }
}
