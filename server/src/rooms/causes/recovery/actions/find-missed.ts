import type { Queryable } from '#platform/database'
import type { CameDelivery } from '#rooms/causes/sources'
import { isArrived } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** When each of these was missed before it came back, by the ids of their records. */
export async function findMissed(db: Queryable, came: readonly CameDelivery[]): Promise<ReadonlyMap<string, Date>> {
  const arrived = came.filter(isArrived)
  return arrived.length === 0 ? new Map() : store.findMissed(db, arrived)
}
