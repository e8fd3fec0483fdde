import type { Queryable, Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import * as store from '../store/index.ts'
import type { ObjectPort } from './object-port.ts'

export const DELETE_OBJECTS_JOB = 'artifacts.delete-objects'
const BATCH = 500

/** Has objects deleted that no row names any more, once the transaction is committed. */
export async function deleteObjects(kit: Kit, tx: Tx, objects: readonly string[]): Promise<void> {
  if (objects.length === 0) return
  await store.loosenObjects(tx, objects, kit.clock.now())
  await deleteSoon(kit, tx)
}

/** One at a time in all processes: two would only delete the same. */
export async function deleteSoon(kit: Kit, db: Queryable): Promise<void> {
  await kit.jobs.add(db, DELETE_OBJECTS_JOB, {}, { key: DELETE_OBJECTS_JOB, queue: DELETE_OBJECTS_JOB })
}

/** Deletes what is due. An object is forgotten only once it is gone: after any outage of the store none is left. */
export async function deleteDue(kit: Kit, objects: Pick<ObjectPort, 'delete'>, signal: AbortSignal): Promise<void> {
  const db = kit.database.kysely
  while (!signal.aborted) {
    const at = kit.clock.now()
    const due = await store.takeLooseObjects(db, at, BATCH)
    if (due.length === 0) return
    await objects.delete(due)
    await store.forgetLooseObjects(db, due, at)
  }
}
