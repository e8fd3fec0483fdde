import * as shapes from '@signalbox/contracts/schedules'
import { backfillRoutes as stated } from '@signalbox/contracts/schedules/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { cancelBackfill } from '../actions/cancel-backfill.ts'
import { createBackfill } from '../actions/create-backfill.ts'
import { getBackfill, listBackfills } from '../actions/find-backfill.ts'
import type { Means } from '../means.ts'

export function backfillRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async createBackfill(request) {
      const backfill = await createBackfill(means, originOf(request), request.params.id, request.body)
      const location = `/v1/schedules/${backfill.schedule_id}/backfills/${backfill.id}`
      return answer(202, backfill, { location })
    },
    async listBackfills(request) {
      const page = await listBackfills(means, request.caller, { ...request.query, schedule: request.params.id })
      return answer(200, page.items, linkNext(request.url, page))
    },
    getBackfill: async (request) => answer(200, await getBackfill(means, request.caller, request.params)),
    cancelBackfill: async (request) => answer(200, await cancelBackfill(means, originOf(request), request.params)),
  })
}
