import type { DeliveryDetail, DeliveryQuery, Delivery as WireDelivery } from '@signalbox/contracts/sources'
import { type Caller, type Page, pageOf, requirePermission, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Means } from '../means.ts'
import type { Delivery, Source } from '../rules/index.ts'
import * as store from '../store/deliveries.ts'
import { explainTrace } from './explain-trace.ts'
import { getVisible } from './find-source.ts'
import { readKeptPayload } from './read-payload.ts'

export async function listDeliveries(
  kit: Kit,
  caller: Caller,
  sourceId: string,
  query: DeliveryQuery,
): Promise<Page<Delivery>> {
  const source = await getReadable(kit, caller, sourceId)
  return pageOf(query, (window) =>
    store.listDeliveries(kit.database.kysely, {
      ...window,
      sourceId: source.id,
      result: query.result,
      eventType: query.event_type,
      repository: query.repository,
      since: query.since === undefined ? undefined : new Date(query.since),
    }),
  )
}

/** One delivery with its trace, and, while they are kept, its headers, its payload and the events of it. */
export async function getDelivery(
  means: Means,
  caller: Caller,
  sourceId: string,
  deliveryRecordId: string,
): Promise<DeliveryDetail> {
  const source = await getReadable(means, caller, sourceId)
  const delivery = await store.findDelivery(means.database.kysely, source.id, deliveryRecordId)
  if (!delivery) throw platformProblem('not_found', 'There is no delivery of this id.')
  const trace = await explainTrace(means, delivery.trace, caller)
  const kept = await readKept(means, source.provider, delivery)
  return { ...presentDelivery(delivery), trace, ...kept }
}

export function presentDelivery(delivery: Delivery): WireDelivery {
  const { sourceId: _sourceId, unusable: _unusable, trace: _trace, payload: _payload, ...shown } = delivery
  const [first] = shown.runIds
  return { ...toWire(shown), ...(first === undefined ? {} : { run_id: first }) }
}

/** 403 for a caller who sees the source and may not see its deliveries. */
async function getReadable(kit: Kit, caller: Caller, sourceId: string): Promise<Source> {
  const source = await getVisible(kit, caller, sourceId)
  requirePermission(caller, 'delivery.read', source.teamPath)
  return source
}

type Kept = Pick<DeliveryDetail, 'events' | 'headers' | 'payload'>

/** Only what a proved sender sent is kept, so that it may be read. */
async function readKept(means: Means, provider: string, delivery: Delivery): Promise<Kept> {
  const kept = await readKeptPayload(means, delivery)
  if (!kept) return { events: null, headers: null, payload: null }
  const { headers, body } = kept
  const reading = means.forges.find(provider)?.webhooks.read(headers, body)
  const events = reading?.kind === 'events' ? [...reading.events] : []
  return { events, headers, payload: means.forges.readStored(body.toString('utf8')) }
}
