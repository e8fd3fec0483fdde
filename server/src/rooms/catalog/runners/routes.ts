import * as shapes from '@signalbox/contracts/runners'
import { runnerRoutes as stated } from '@signalbox/contracts/runners/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve } from '#platform/http'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import { changeRunner } from './actions/change-runner.ts'
import { createEnrollment } from './actions/create-enrollment.ts'
import { getVisibleEnrollment, listEnrollments } from './actions/find-enrollment.ts'
import { getVisibleRunner, listRunners } from './actions/find-runner.ts'
import { removeRunner } from './actions/remove-runner.ts'
import { revokeEnrollment } from './actions/revoke-enrollment.ts'
import type { Means } from './means.ts'
import { isReachable, type Runner } from './rules/index.ts'
import type { EnrollmentRow } from './store/index.ts'

export function runnerRoutes(means: Means): Route[] {
  const { clock, config } = means
  const present = (runner: Runner): shapes.Runner =>
    presentRunner(runner, isReachable(runner, { now: clock.now(), leaseMs: config.leaseSeconds * 1000 }))
  return serve(stated, shapes, {
    async createRunnerEnrollment(request) {
      const { team_path: teamPath, scopes, labels = [], expires_at } = request.body
      const expiresAt = expires_at === undefined ? undefined : new Date(expires_at)
      const input = { teamPath, scopes, labels, expiresAt }
      const { enrollment, token } = await createEnrollment(means, originOf(request), input)
      const headers = { location: `/v1/runners/enrollments/${enrollment.id}`, 'cache-control': 'no-store' }
      return answer(201, { ...presentEnrollment(enrollment), token }, headers)
    },
    async listRunnerEnrollments(request) {
      const page = await listEnrollments(means, request.caller, request.query)
      return answer(200, page.items.map(presentEnrollment), linkNext(request.url, page))
    },
    async getRunnerEnrollment(request) {
      return answer(200, presentEnrollment(await getVisibleEnrollment(means, request.caller, request.params.id)))
    },
    async deleteRunnerEnrollment(request) {
      await revokeEnrollment(means, originOf(request), request.params.id)
      return answer(204)
    },
    async listRunners(request) {
      const page = await listRunners(means, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getRunner(request) {
      const runner = await getVisibleRunner(means, request.caller, request.params.id)
      return answer(200, present(runner), { etag: etagOf(runner.updatedAt) })
    },
    async updateRunner(request) {
      const { name, scopes, labels, enabled, draining } = request.body
      const change = { id: request.params.id, name, scopes, labels, enabled, draining }
      const runner = await changeRunner(means, originOf(request), change)
      return answer(200, present(runner), { etag: etagOf(runner.updatedAt) })
    },
    async deleteRunner(request) {
      await removeRunner(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}

function presentRunner(runner: Runner, connected: boolean): shapes.Runner {
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

function presentEnrollment(row: EnrollmentRow): shapes.RunnerEnrollment {
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
