import { IngressAnswer } from '@signalbox/contracts/sources'
import { Type } from 'typebox'
import { answer, defineRoute, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { receiveDelivery } from '../actions/receive-delivery.ts'
import type { Ingress } from '../ingress/ingress.ts'

export function ingressRoutes(kit: Kit, ingress: Ingress): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/git/webhooks/:sourceID',
      summary: 'Receive a delivery of a Git provider (body: the provider event)',
      tag: 'git',
      class: 'public',
      // Not of the form uuid: an id that is none answers 404 like one that is unknown.
      schema: { params: Type.Object({ sourceID: Type.String() }) },
      rawBody: true,
      responses: { 200: IngressAnswer, 202: IngressAnswer },
      problems: [{ status: 401 }, { status: 403 }, { status: 413 }, { status: 422 }, { status: 429 }],
      handle: async (request) => {
        const { headers, rawHeaders, address } = request
        const { sourceID: sourceId } = request.params
        const readBody = (limit: number, holder: string) => request.readBody(limit, holder)
        const delivered = await receiveDelivery(kit, ingress, { sourceId, headers, rawHeaders, address, readBody })
        return answer(delivered.status, delivered.body)
      },
    }),
  ]
}
