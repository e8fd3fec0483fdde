import { mayDeleteObjects, type Queryable, type Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import * as store from '../store/index.ts'
import type { ObjectPort } from './object-port.ts'

export const DELETE_OBJECTS_JOB = 'artifacts.delete-objects'
const BATCH = 500
/** After which it is seen whether the backup has ended. */
const BACKUP_PAUSE_MS = 60_000

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

/** Objects that nobody else deletes; `kept` while a backup copies those that rows named when it began. */
async function takeDue(kit: Kit, at: Date): Promise<readonly string[] | 'kept'> {
  return kit.database.transaction(async (tx) =>
    (await mayDeleteObjects(tx)) ? store.takeLooseObjects(tx, at, BATCH) : 'kept',
  )
}

async function deleteLater(kit: Kit, runAt: Date): Promise<void> {
  const job = { key: DELETE_OBJECTS_JOB, queue: DELETE_OBJECTS_JOB, runAt }
  await kit.jobs.add(kit.database.kysely, DELETE_OBJECTS_JOB, {}, job)
}

/** Deletes what is due. An object is forgotten only once it is gone: after any outage of the store none is left. */
export async function deleteDue(kit: Kit, objects: Pick<ObjectPort, 'delete'>, signal: AbortSignal): Promise<void> {
  const db = kit.database.kysely
  while (!signal.aborted) {
    const at = kit.clock.now()
    const due = await takeDue(kit, at)
    if (due === 'kept') return deleteLater(kit, new Date(at.getTime() + BACKUP_PAUSE_MS))
    if (due.length === 0) return
    await objects.delete(due)
    await store.forgetLooseObjects(db, due, at)
  }
}
