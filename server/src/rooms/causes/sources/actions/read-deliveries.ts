import type {
  AllDeliveriesQuery,
  DeliveryDetail,
  DeliveryQuery,
  Delivery as WireDelivery,
} from '@signalbox/contracts/sources'
import { type Caller, type Page, pageOf, requirePermission, toWire } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { orUnavailable } from '../errors.ts'
import type { Means } from '../means.ts'
import type { Delivery, Source } from '../rules/index.ts'
import * as store from '../store/deliveries.ts'
import { narrowedBy } from './asked-change.ts'
import { explainTrace } from './explain-trace.ts'
import { findMissed, type MarkedDelivery, type MarkMeans, markMissed } from './find-missed.ts'
import { getVisible } from './find-source.ts'
import { readKeptPayload } from './read-payload.ts'

export async function listDeliveries(
  means: MarkMeans,
  caller: Caller,
  sourceId: string,
  query: DeliveryQuery,
): Promise<Page<MarkedDelivery>> {
  const source = await getReadable(means, caller, sourceId)
  return listOf(means, [source.id], query)
}

/** Of every source whose deliveries the caller may see. One that does not exist has none, like one that is hidden. */
export async function listAllDeliveries(
  means: Means,
  caller: Caller,
  { source: asked, teamId, ...query }: AllDeliveriesQuery,
): Promise<Page<MarkedDelivery>> {
  const readable = caller.prefixes('delivery.read')
  const team = teamId === undefined ? undefined : await means.teams.findTeam(means.database.kysely, teamId)
  if (readable.length === 0 || (teamId !== undefined && !team)) return { items: [], next: undefined }
  const book = await orUnavailable(means.ingress.book.get())
  const isWanted = ({ id, teamPath }: Source): boolean =>
    (asked?.includes(id) ?? true) && (team === undefined || `${teamPath}/`.startsWith(`${team.path}/`))
  const mayRead = ({ teamPath }: Source): boolean =>
    caller.can('webhook_source.read', teamPath) && caller.can('delivery.read', teamPath)
  const sources = [...book.values()].map(({ source }) => source).filter((each) => isWanted(each) && mayRead(each))
  const sourceIds = sources.map(({ id }) => id)
  return listOf(means, sourceIds, query)
}

async function listOf(
  means: MarkMeans,
  sourceIds: readonly string[],
  query: DeliveryQuery,
): Promise<Page<MarkedDelivery>> {
  const narrowed = narrowedBy(query)
  const [since, until] = [query.since, query.until].map((at) => (at === undefined ? undefined : new Date(at)))
  const { result, repository, event_type: eventType } = query
  const filter = { sourceIds, result, eventType, repository, ...narrowed, since, until }
  const db = means.database.kysely
  const { items, next } = await pageOf(query, (window) => store.listDeliveries(db, { ...filter, ...window }))
  return { items: await markMissed(means, items), next }
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
  const { trace: _trace, payload: _payload, ...listed } = delivery
  const missed = await findMissed(means, [listed])
  return { ...presentDelivery({ ...listed, missedAt: missed.get(listed.id) ?? null }), trace, ...kept }
}

export function presentDelivery(delivery: MarkedDelivery): WireDelivery {
  const { unusable: _unusable, ...shown } = delivery
  const [first] = shown.runIds
  return { ...toWire(shown), recovered: shown.missedAt !== null, ...(first === undefined ? {} : { run_id: first }) }
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
