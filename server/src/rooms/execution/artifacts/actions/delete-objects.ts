import type { Tx } from '#platform/database'
import type { Kit } from '#platform/room'

export const DELETE_PARTS_JOB = 'artifacts.delete-parts'

/** So many in one job: its payload stays small. */
const AT_ONCE = 500

/** Has objects deleted that no row names any more, once the transaction is committed. */
export async function deleteObjects(kit: Kit, tx: Tx, objects: readonly string[]): Promise<void> {
  for (let at = 0; at < objects.length; at += AT_ONCE) {
    await kit.jobs.add(tx, DELETE_PARTS_JOB, { objects: objects.slice(at, at + AT_ONCE) })
  }
}

/** The objects of such a job. */
export function readObjects(payload: unknown): string[] {
  if (typeof payload !== 'object' || payload === null || !('objects' in payload)) return []
  return Array.isArray(payload.objects) ? payload.objects.filter((each) => typeof each === 'string') : []
}
