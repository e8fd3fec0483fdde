import { Uuid } from '@signalbox/contracts/http'
import {
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  Replay,
  ReplayBatch,
  ReplayOptions,
  ReplayQuery,
  ReplayRequest,
} from '@signalbox/contracts/sources'
import { Type } from 'typebox'
import { answer, defineRoute, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { getDelivery, listDeliveries, presentDelivery } from '../actions/read-deliveries.ts'
import { replayDeliveries } from '../actions/replay-deliveries.ts'
import { replayDelivery } from '../actions/replay-delivery.ts'
import type { Ingress } from '../ingress/ingress.ts'

const tag = 'git'
const path = '/v1/git-webhook-sources'
const params = Type.Object({ sourceID: Uuid })
const oneOf = Type.Object({ sourceID: Uuid, deliveryID: Uuid })

export function deliveryRoutes(kit: Kit, ingress: Ingress): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${path}/:sourceID/deliveries`,
      summary: 'List the deliveries of a source, newest first',
      tag,
      class: 'authorized',
      permission: 'delivery.read',
      schema: { params, query: DeliveryQuery },
      responses: { 200: Type.Array(Delivery) },
      handle: async (request) => {
        const page = await listDeliveries(kit, request.caller, request.params.sourceID, request.query)
        return answer(200, page.items.map(presentDelivery), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:sourceID/deliveries/:deliveryID`,
      summary: 'One delivery with its trace, its events, headers and payload',
      tag,
      class: 'authorized',
      permission: 'delivery.read',
      schema: { params: oneOf },
      responses: { 200: DeliveryDetail },
      handle: async (request) => {
        const { sourceID, deliveryID } = request.params
        return answer(200, await getDelivery(kit, ingress, request.caller, sourceID, deliveryID))
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:sourceID/deliveries/:deliveryID/replay`,
      summary: "Run a stored delivery through today's triggers again; 202 when something started",
      tag,
      class: 'authorized',
      permission: 'delivery.replay',
      schema: { params: oneOf, query: ReplayQuery, body: ReplayOptions },
      responses: { 200: Replay, 202: Replay },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { sourceID, deliveryID } = request.params
        const asked = { sourceId: sourceID, dryRun: request.query.dry_run === true || request.body?.dry_run === true }
        const { replay, started } = await replayDelivery(kit, ingress, originOf(request), asked, deliveryID)
        return answer(started ? 202 : 200, replay)
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:sourceID/deliveries/replay`,
      summary: "Run many stored deliveries through today's triggers again, oldest first; 202 when something started",
      tag,
      class: 'authorized',
      permission: 'delivery.replay',
      schema: { params, body: ReplayRequest },
      responses: { 200: ReplayBatch, 202: ReplayBatch },
      handle: async (request) => {
        const { sourceID } = request.params
        const { batch, started } = await replayDeliveries(kit, ingress, originOf(request), sourceID, request.body)
        return answer(started ? 202 : 200, batch)
      },
    }),
  ]
}
