import * as shapes from '@signalbox/contracts/sources'
import { deliveryRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, linkNext, originOf, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { getDelivery, listDeliveries, presentDelivery } from '../actions/read-deliveries.ts'
import { replayDeliveries } from '../actions/replay-deliveries.ts'
import { replayDelivery } from '../actions/replay-delivery.ts'
import type { Ingress } from '../ingress/ingress.ts'

export function deliveryRoutes(kit: Kit, ingress: Ingress): Route[] {
  return serve(stated, shapes, {
    async listDeliveries(request) {
      const page = await listDeliveries(kit, request.caller, request.params.sourceID, request.query)
      return answer(200, page.items.map(presentDelivery), linkNext(request.url, page))
    },
    async getDelivery(request) {
      const { sourceID, deliveryID } = request.params
      return answer(200, await getDelivery(kit, ingress, request.caller, sourceID, deliveryID))
    },
    async replayDelivery(request) {
      const { sourceID, deliveryID } = request.params
      const asked = { sourceId: sourceID, dryRun: request.query.dry_run === true || request.body?.dry_run === true }
      const { replay, started } = await replayDelivery(kit, ingress, originOf(request), asked, deliveryID)
      return answer(started ? 202 : 200, replay)
    },
    async replayDeliveries(request) {
      const { sourceID } = request.params
      const { batch, started } = await replayDeliveries(kit, ingress, originOf(request), sourceID, request.body)
      return answer(started ? 202 : 200, batch)
    },
  })
}
