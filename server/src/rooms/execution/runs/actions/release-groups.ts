import type { Database } from '#platform/database'
import { listFreeGroups, releasingGroup } from '../store/groups.ts'

/** One transaction for each group: who decides about a group keeps others waiting no longer than for that one. */
export async function releaseGroups(database: Database): Promise<void> {
  for (const group of await listFreeGroups(database.kysely)) await database.pipeline(releasingGroup(group))
}
