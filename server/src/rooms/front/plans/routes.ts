import * as shapes from '@signalbox/contracts/plans'
import { planRoutes as stated } from '@signalbox/contracts/plans/routes'
import { answer, type CallOrigin, linkNext, type Route, type RouteRequest, serve } from '#platform/http'
import { confirmPlan } from './actions/confirm-plan.ts'
import { approvePlan, refusePlan } from './actions/decide-plan.ts'
import { getPlan, listPlans } from './actions/find-plan.ts'
import { planWrite } from './actions/plan-write.ts'
import { presentPlan } from './actions/present-plan.ts'
import type { Means } from './means.ts'

export function planRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createPlan(request) {
      const origin = callOriginOf(request)
      const { id } = await planWrite(means, origin, request.body)
      return answer(201, presentPlan(means, await getPlan(means, origin, id)), { location: `/v1/plans/${id}` })
    },
    async listPlans(request) {
      const page = await listPlans(means, callOriginOf(request), request.query)
      return answer(
        200,
        page.items.map((seen) => presentPlan(means, seen)),
        linkNext(request.url, page),
      )
    },
    getPlan: async (request) =>
      answer(200, presentPlan(means, await getPlan(means, callOriginOf(request), request.params.id))),
    async confirmPlan(request) {
      const seen = await confirmPlan(means, callOriginOf(request), request.params.id, request.body)
      return answer(seen.plan.status === 'confirmed' ? 200 : 202, presentPlan(means, seen))
    },
    approvePlan: async (request) =>
      answer(200, presentPlan(means, await approvePlan(means, callOriginOf(request), request.params.id))),
    async refusePlan(request) {
      const { params, body } = request
      return answer(200, presentPlan(means, await refusePlan(means, callOriginOf(request), params.id, body?.reason)))
    },
  })
}

/** What a plan calls is a part of the request that asks for it. */
function callOriginOf(request: Omit<RouteRequest, 'params' | 'query' | 'body'>): CallOrigin {
  const { caller, address, requestId, log, signal, via } = request
  return { caller, address, requestId, log, signal, ...(via ? { via } : {}) }
}
