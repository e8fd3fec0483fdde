import * as shapes from '@signalbox/contracts/runners'
import { runnerRoutes as stated } from '@signalbox/contracts/runners/routes'
import { addressOfRunners } from '#platform/config'
import { answer, etagOf, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import { changeRunner } from './actions/change-runner.ts'
import { createEnrollment } from './actions/create-enrollment.ts'
import { getVisibleEnrollment, listEnrollments } from './actions/find-enrollment.ts'
import { getVisibleRunner, listRunners } from './actions/find-runner.ts'
import { removeRunner } from './actions/remove-runner.ts'
import { revokeEnrollment } from './actions/revoke-enrollment.ts'
import type { Means } from './means.ts'
import { isReachable, type Runner } from './rules/index.ts'

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
      return answer(201, { ...toWire(enrollment), token, runner_url: addressOfRunners(config) }, headers)
    },
    async listRunnerEnrollments(request) {
      const page = await listEnrollments(means, request.caller, request.query)
      return answer(200, page.items.map(toWire), linkNext(request.url, page))
    },
    async getRunnerEnrollment(request) {
      return answer(200, toWire(await getVisibleEnrollment(means, request.caller, request.params.id)))
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

function presentRunner({ connectedTo: _, ...runner }: Runner, connected: boolean): shapes.Runner {
  return { ...toWire(runner), connected }
}
