import type { Queryable } from '#platform/database'
import type { Kit } from '#platform/room'
import type { AboveHealth } from '../ingress/above-sources.ts'
import { isMade, type ListedDelivery } from '../rules/index.ts'
import { findIdentities, type Identity } from '../store/deliveries.ts'

/** The means of a list that says what came back. */
export interface MarkMeans extends Kit {
  readonly above: Pick<AboveHealth, 'findMissed'>
}

/** When each of these deliveries was missed before it came back, by the ids of their records. */
export async function findMissed(
  means: MarkMeans,
  deliveries: readonly Identity[],
): Promise<ReadonlyMap<string, Date>> {
  const db = means.database.kysely
  // A replay came from nowhere. What was made has nothing to prove.
  const proved = deliveries.filter(
    (each) => each.replayOf === null && (each.verification === 'verified' || isMade(each)),
  )
  const copies = await findCopies(db, proved)
  const came = proved.flatMap(({ id, deliveryId, ...each }) =>
    deliveryId === null || copies.has(id) ? [] : [{ ...each, deliveryId, deliveryRecordId: id }],
  )
  return came.length === 0 ? new Map() : means.above.findMissed(db, came)
}

/** Those that repeat a delivery of their own id. A duplicate of another one may well have come back. */
async function findCopies(db: Queryable, deliveries: readonly Identity[]): Promise<ReadonlySet<string>> {
  const firsts = deliveries.flatMap(({ duplicateOf }) => duplicateOf ?? [])
  if (firsts.length === 0) return new Set()
  const ids = new Map((await findIdentities(db, firsts)).map(({ id, deliveryId }) => [id, deliveryId]))
  const isCopy = ({ duplicateOf, deliveryId }: Identity) =>
    duplicateOf !== null && deliveryId !== null && ids.get(duplicateOf) === deliveryId
  return new Set(deliveries.filter(isCopy).map(({ id }) => id))
}

/** With when it was missed; null: it was not. */
export interface MarkedDelivery extends ListedDelivery {
  readonly missedAt: Date | null
}

export async function markMissed(
  means: MarkMeans,
  deliveries: readonly ListedDelivery[],
): Promise<readonly MarkedDelivery[]> {
  const missed = await findMissed(means, deliveries)
  return deliveries.map((each) => ({ ...each, missedAt: missed.get(each.id) ?? null }))
}

/** The same for what events say of their deliveries; a delivery whose record is gone is not in it. */
export async function findMissedRecords(
  means: MarkMeans,
  deliveryRecordIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (deliveryRecordIds.length === 0) return new Map()
  return findMissed(means, await findIdentities(means.database.kysely, deliveryRecordIds))
}
