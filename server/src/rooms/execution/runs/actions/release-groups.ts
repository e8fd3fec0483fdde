import type { Queryable } from '#platform/database'
import { listFreeGroups, releaseGroup } from '../store/settle.ts'

/** One statement for each group: who decides about a group keeps others waiting no longer than for that one. */
export async function releaseGroups(db: Queryable): Promise<void> {
  for (const group of await listFreeGroups(db)) await releaseGroup(db, group)
}
