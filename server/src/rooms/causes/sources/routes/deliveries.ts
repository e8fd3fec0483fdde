import * as shapes from '@signalbox/contracts/sources'
import { deliveryRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import { getDelivery, listAllDeliveries, listDeliveries, presentDelivery } from '../actions/read-deliveries.ts'
import { replayDeliveries } from '../actions/replay-deliveries.ts'
import { replayDelivery } from '../actions/replay-delivery.ts'
import type { Means } from '../means.ts'

export function deliveryRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async listDeliveries(request) {
      const page = await listDeliveries(means, request.caller, request.params.sourceID, request.query)
      return answer(200, page.items.map(presentDelivery), linkNext(request.url, page))
    },
    async listAllDeliveries(request) {
      const page = await listAllDeliveries(means, request.caller, request.query)
      return answer(200, page.items.map(presentDelivery), linkNext(request.url, page))
    },
    async getDelivery(request) {
      const { sourceID, deliveryID } = request.params
      return answer(200, await getDelivery(means, request.caller, sourceID, deliveryID))
    },
    async replayDelivery(request) {
      const { sourceID, deliveryID } = request.params
      const asked = { sourceId: sourceID, dryRun: request.query.dry_run === true || request.body?.dry_run === true }
      const { replay, started } = await replayDelivery(means, originOf(request), asked, deliveryID)
      return answer(started ? 202 : 200, replay)
    },
    async replayDeliveries(request) {
      const { sourceID } = request.params
      const { batch, started } = await replayDeliveries(means, originOf(request), sourceID, request.body)
      return answer(started ? 202 : 200, batch)
    },
  })
}
