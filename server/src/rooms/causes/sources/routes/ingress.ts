import * as shapes from '@signalbox/contracts/sources'
import { ingressRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { receiveDelivery } from '../actions/receive-delivery.ts'
import type { Ingress } from '../ingress/ingress.ts'

export function ingressRoutes(kit: Kit, ingress: Ingress): Route[] {
  return serve(stated, shapes, {
    async receiveDelivery(request) {
      const { headers, rawHeaders, address } = request
      const { sourceID: sourceId } = request.params
      const readBody = (limit: number, holder: string) => request.readBody(limit, holder)
      const delivered = await receiveDelivery(kit, ingress, { sourceId, headers, rawHeaders, address, readBody })
      return answer(delivered.status, delivered.body)
    },
  })
}
