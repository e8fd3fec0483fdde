import type { Queryable, Statement } from '#platform/database'
import type { Kit } from '#platform/room'
import type { EventPlan, Events } from '#rooms/causes/events'
import { type Delivery, outcomeOf, uniteNames } from '../rules/index.ts'
import * as store from '../store/commit.ts'
import { learnNames } from '../store/repository-names.ts'
import type { AboveSources, StartedOfSource } from './above-sources.ts'
import type { CompressBlock } from './block-compressor.ts'
import type { DeliveryEntry } from './delivery-entry.ts'
import { packPayloads } from './payload-blocks.ts'
import { tellingComments } from './told-comments.ts'

export type Repeating = Pick<Events, 'admission' | 'isRepeated' | 'repeatThemselves' | 'markRepeated'>

/** Another replica may take an id between two tries, each time another one; more often than this it is no accident. */
const TRIES = 10

/**
 * Stores a group in one transaction. A delivery whose id was taken before, in this group or in an earlier one, becomes
 * a duplicate of the first. Answers the deliveries as stored, in the order given.
 *
 * Repetitions are rare, so that no query looks for them first: the transaction fails at one, and is repeated without
 * it.
 */
export async function storeGroup(
  means: Kit & { readonly events: Repeating; readonly above: AboveSources },
  compress: CompressBlock,
  entries: readonly DeliveryEntry[],
): Promise<readonly Delivery[]> {
  const { events } = means
  const db = means.database.kysely
  let group = repeatsItself(events, entries) ? await markGroupRepeated(db, events, entries) : entries
  for (let tries = 1; ; tries++) {
    const packed = await packPayloads(means, compress, group)
    try {
      await means.database.pipeline([
        store.storeDeliveries(packed.entries, packed.blocks),
        ...means.above.reporting(packed.entries.flatMap(startedOf)),
        ...tellingComments(means, packed.entries),
        ...events.admission(packed.entries.flatMap((entry) => entry.plans)),
        ...learning(packed.entries),
      ])
      return packed.entries.map((entry) => entry.delivery)
    } catch (error) {
      if (tries >= TRIES || !(store.isRepeated(error) || events.isRepeated(error))) throw error
      group = await markGroupRepeated(db, events, entries)
    }
  }
}

function startedOf({ reportsStatus = false, plans }: DeliveryEntry): readonly StartedOfSource[] {
  return plans.map((plan) => ({ reportsStatus, plan }))
}

function learning(entries: readonly DeliveryEntry[]): readonly Statement[] {
  const names = entries.flatMap((entry) => entry.names ?? [])
  return names.length === 0 ? [] : [learnNames(uniteNames(names))]
}

function repeatsItself(events: Repeating, entries: readonly DeliveryEntry[]): boolean {
  const keys = entries.map(keyOf).filter((key) => key !== undefined)
  return new Set(keys).size < keys.length || events.repeatThemselves(entries.flatMap((entry) => entry.plans))
}

/** Duplicates by the provider's id come first, then duplicates by the told change. */
export async function markGroupRepeated(
  db: Queryable,
  events: Repeating,
  entries: readonly DeliveryEntry[],
): Promise<readonly DeliveryEntry[]> {
  const once = await markSentBefore(db, entries)
  const plans = await events.markRepeated(
    db,
    once.flatMap((entry) => entry.plans),
  )
  const byEvent = new Map(plans.map((plan) => [plan.eventId, plan]))
  return once.map((entry) => {
    const own = entry.plans.map((plan) => byEvent.get(plan.eventId) ?? plan)
    return own.every((plan, at) => plan === entry.plans[at]) ? entry : withPlans(entry, own)
  })
}

function withPlans(entry: DeliveryEntry, plans: readonly EventPlan[]): DeliveryEntry {
  const outcome = outcomeOf(plans)
  return {
    ...entry,
    plans,
    repetition: entry.repetition === 'claim' && outcome.result !== 'accepted' ? 'look' : entry.repetition,
    delivery: {
      ...entry.delivery,
      ...outcome,
      trace: { ...entry.delivery.trace, events: plans.map((plan) => plan.trace) },
    },
  }
}

async function markSentBefore(db: Queryable, entries: readonly DeliveryEntry[]): Promise<readonly DeliveryEntry[]> {
  const firsts = await findEarlier(db, entries)
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key !== undefined && entry.repetition === 'claim' && !firsts.has(key)) firsts.set(key, entry.delivery)
  }
  return entries.map((entry) => {
    const key = keyOf(entry)
    const first = key === undefined ? undefined : firsts.get(key)
    return first && first !== entry.delivery ? duplicateOf(entry, first) : entry
  })
}

type First = Pick<Delivery, 'id' | 'statusCode'>

async function findEarlier(db: Queryable, entries: readonly DeliveryEntry[]): Promise<Map<string, First>> {
  const keys = entries.flatMap(({ repetition, delivery: { sourceId, deliveryId } }) =>
    deliveryId === null || repetition === 'none' ? [] : [{ sourceId, deliveryId }],
  )
  const found = await store.findFirstAnswers(db, keys)
  return new Map(
    found.map(({ sourceId, deliveryId, deliveryRecordId, statusCode }) => [
      `${sourceId} ${deliveryId}`,
      { id: deliveryRecordId, statusCode },
    ]),
  )
}

/** Undefined where it does not matter whether the delivery came before. */
function keyOf({ repetition, delivery }: DeliveryEntry): string | undefined {
  return repetition === 'none' || delivery.deliveryId === null
    ? undefined
    : `${delivery.sourceId} ${delivery.deliveryId}`
}

function duplicateOf(entry: DeliveryEntry, first: First): DeliveryEntry {
  const { delivery } = entry
  return {
    payload: entry.payload,
    repetition: 'none',
    plans: [],
    delivery: {
      ...delivery,
      result: 'duplicate',
      statusCode: first.statusCode,
      duplicateOf: first.id,
      runIds: [],
      reason: 'The provider sent this delivery before; it was answered as then and started nothing.',
      trace: { ...delivery.trace, events: [] },
    },
  }
}
