import type { Caller } from '#platform/http'
import type { DeliveryReader } from '#rooms/causes/events'
import type { StoredDelivery } from '#rooms/causes/triggers'
import type { AccessSnapshot } from '#rooms/foundation/access'
import type { LiveSource } from '../ingress/source-book.ts'
import type { Means } from '../means.ts'
import { type Delivery, matchContextOf, readsRepository, visibleTrace } from '../rules/index.ts'
import * as store from '../store/deliveries.ts'
import { traceReader } from './explain-trace.ts'
import { withOtherNames } from './know-names.ts'
import { readKeptPayload } from './read-payload.ts'

const PAGE = 100
/**
 * A question for a repository that was quiet for long must not make the server read all deliveries of other
 * repositories.
 */
const MAX_LOOKED_AT = 1000

/** The newest kept deliveries that the caller may read, each event normalised again by today's forge. */
export async function readDeliveries(
  means: Means,
  caller: Caller,
  { sourceId, repositories, limit }: Parameters<DeliveryReader>[1],
): Promise<readonly StoredDelivery[]> {
  const readable = await findReadable(means, caller, sourceId)
  if (readable.size === 0) return []
  const snapshot = await means.access.snapshot()
  const found: StoredDelivery[] = []
  let before: string | undefined
  for (let looked = 0; looked < MAX_LOOKED_AT && found.length < limit; looked += PAGE) {
    const page = await store.listTelling(means.database.kysely, {
      sourceIds: [...readable.keys()],
      before,
      limit: PAGE,
    })
    for (const delivery of page) {
      const asked = delivery.repository !== null && (repositories?.(delivery.repository) ?? true)
      const live = readable.get(delivery.sourceId)
      if (!asked || !live || found.length >= limit) continue
      found.push(...(await readEvents(means, caller, { delivery, live, snapshot })))
    }
    before = page.at(-1)?.id
    if (page.length < PAGE) break
  }
  return found.slice(0, limit)
}

async function findReadable(
  means: Means,
  caller: Caller,
  sourceId: string | undefined,
): Promise<ReadonlyMap<string, LiveSource>> {
  const book = await means.ingress.book.get()
  return new Map(
    [...book].filter(
      ([id, { source }]) =>
        (sourceId === undefined || id === sourceId) &&
        caller.can('webhook_source.read', source.teamPath) &&
        caller.can('delivery.read', source.teamPath),
    ),
  )
}

interface Reading {
  readonly delivery: Delivery
  readonly live: LiveSource
  readonly snapshot: AccessSnapshot
}

async function readEvents(
  means: Means,
  caller: Caller,
  { delivery, live, snapshot }: Reading,
): Promise<readonly StoredDelivery[]> {
  const { source, forge, origin } = live
  const kept = await readKeptPayload(means, delivery)
  const reading = kept && forge?.webhooks.read(kept.headers, kept.body)
  if (reading?.kind !== 'events') return []
  const base = matchContextOf(source, snapshot)
  const names = await means.ingress.names.get()
  const { id: deliveryRecordId, sourceId, receivedAt } = delivery
  const { eventType } = reading
  const { events: traces } = visibleTrace(delivery.trace, traceReader(means, caller))
  return reading.events.map((event, at) => {
    const trace = traces[at]
    const decided = trace?.kind === event.kind && trace.ref === event.ref ? trace : null
    const reads = readsRepository(source, origin, event.repository.clone_url)
    const readsPaths = reads && means.events.readsPaths(event)
    const context = withOtherNames(base, names, live, { event, at: receivedAt })
    return { deliveryRecordId, sourceId, receivedAt, eventType, event, context, readsPaths, decided }
  })
}
