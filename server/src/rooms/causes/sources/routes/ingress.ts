import * as shapes from '@signalbox/contracts/sources'
import { ingressRoutes as stated } from '@signalbox/contracts/sources/routes'
import { answer, type Route, serve } from '#platform/http'
import { receiveDelivery } from '../actions/receive-delivery.ts'
import type { Means } from '../means.ts'

export function ingressRoutes(means: Means): Route[] {
  return serve(stated, shapes, {
    async receiveDelivery(request) {
      const { headers, rawHeaders, address } = request
      const { sourceID: sourceId } = request.params
      const readBody = (limit: number, holder: string) => request.readBody(limit, holder)
      const delivered = await receiveDelivery(means, { sourceId, headers, rawHeaders, address, readBody })
      return answer(delivered.status, delivered.body)
    },
  })
}
