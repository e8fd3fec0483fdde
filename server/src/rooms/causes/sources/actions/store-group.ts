import type { Queryable } from '#platform/database'
import type { Delivery } from '../rules/index.ts'
import * as store from '../store/commit.ts'
import type { DeliveryEntry } from './commit-deliveries.ts'
import type { Packed } from './pack-payloads.ts'

/**
 * Stores a group inside the caller's transaction. Who comes second with a delivery id that was taken, in this group or in
 * an earlier one, becomes a duplicate of the first. Answers the deliveries as stored, in the order given.
 */
export async function storeWithoutRepetition(db: Queryable, { entries, blocks }: Packed): Promise<readonly Delivery[]> {
  const claims = new Map<string, Delivery>()
  for (const { delivery, repetition } of entries) {
    const key = keyOf(delivery)
    if (repetition === 'claim' && key !== undefined && !claims.has(key)) claims.set(key, delivery)
  }
  const looked = await findEarlier(
    db,
    entries.filter((entry) => entry.repetition === 'look').map((entry) => entry.delivery),
  )
  const isOwn = ({ delivery, repetition }: DeliveryEntry): boolean => {
    const key = repetition === 'none' ? undefined : keyOf(delivery)
    if (key === undefined) return true
    return repetition === 'claim' ? claims.get(key) === delivery : !claims.has(key) && !looked.has(key)
  }
  const own = entries.filter(isOwn).map(({ delivery }) => {
    const key = keyOf(delivery)
    return { delivery, claims: key !== undefined && claims.get(key) === delivery }
  })
  const claimed = await store.storeDeliveries(db, own, blocks)
  const lost = own.filter((one) => one.claims && !claimed.has(one.delivery.id)).map((one) => one.delivery)
  const earlier = new Map([...looked, ...(await findEarlier(db, lost))])
  const final = entries.map((entry) => {
    const key = entry.repetition === 'none' ? undefined : keyOf(entry.delivery)
    if (key === undefined || (isOwn(entry) && !lost.includes(entry.delivery))) return entry.delivery
    const first = earlier.get(key) ?? claims.get(key)
    return first ? duplicateOf(entry.delivery, first) : entry.delivery
  })
  const duplicates = final.filter((delivery) => delivery.result === 'duplicate')
  if (duplicates.length > 0) {
    const given = duplicates.map((delivery) => ({ delivery, claims: false }))
    await store.storeDeliveries(db, given, [])
  }
  return final
}

interface First {
  readonly id: string
  readonly statusCode: number
}

async function findEarlier(db: Queryable, deliveries: readonly Delivery[]): Promise<ReadonlyMap<string, First>> {
  const keys = deliveries.flatMap(({ sourceId, deliveryId }) => (deliveryId === null ? [] : [{ sourceId, deliveryId }]))
  if (keys.length === 0) return new Map()
  const found = await store.findFirstAnswers(db, keys)
  return new Map(
    found.map((first) => [keyOf(first) ?? '', { id: first.deliveryRecordId, statusCode: first.statusCode }]),
  )
}

function keyOf({ sourceId, deliveryId }: { sourceId: string; deliveryId: string | null }): string | undefined {
  return deliveryId === null ? undefined : `${sourceId} ${deliveryId}`
}

function duplicateOf(delivery: Delivery, first: First): Delivery {
  return {
    ...delivery,
    result: 'duplicate',
    statusCode: first.statusCode,
    duplicateOf: first.id,
    runIds: [],
    reason: 'The provider sent this delivery before; it was answered as then and started nothing.',
    trace: { ...delivery.trace, events: [] },
  }
}
