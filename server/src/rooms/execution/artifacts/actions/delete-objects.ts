import { mayDeleteObjects, type Queryable, type Tx } from '#platform/database'
import type { Means } from '../means.ts'
import * as store from '../store/index.ts'

export const DELETE_OBJECTS_JOB = 'artifacts.delete-objects'
const BATCH = 500
/** After which it is seen whether the backup has ended. */
const BACKUP_PAUSE_MS = 60_000

/** Has objects deleted that no row names any more, once the transaction is committed. */
export async function deleteObjects(means: Means, tx: Tx, objects: readonly string[]): Promise<void> {
  if (objects.length === 0) return
  await store.loosenObjects(tx, objects, means.clock.now())
  await deleteSoon(means, tx)
}

/** One at a time in all processes: two would only delete the same. */
export async function deleteSoon(means: Means, db: Queryable): Promise<void> {
  await means.jobs.add(db, DELETE_OBJECTS_JOB, {}, { key: DELETE_OBJECTS_JOB, queue: DELETE_OBJECTS_JOB })
}

/** Objects that nobody else deletes; `kept` while a backup copies those that rows named when it began. */
async function takeDue(means: Means, at: Date): Promise<readonly string[] | 'kept'> {
  return means.database.transaction(async (tx) =>
    (await mayDeleteObjects(tx)) ? store.takeLooseObjects(tx, at, BATCH) : 'kept',
  )
}

async function deleteLater(means: Means, runAt: Date): Promise<void> {
  const job = { key: DELETE_OBJECTS_JOB, queue: DELETE_OBJECTS_JOB, runAt }
  await means.jobs.add(means.database.kysely, DELETE_OBJECTS_JOB, {}, job)
}

/** Deletes what is due. An object is forgotten only once it is gone: after any outage of the store none is left. */
export async function deleteDue(means: Means, signal: AbortSignal): Promise<void> {
  const db = means.database.kysely
  while (!signal.aborted) {
    const at = means.clock.now()
    const due = await takeDue(means, at)
    if (due === 'kept') return deleteLater(means, new Date(at.getTime() + BACKUP_PAUSE_MS))
    if (due.length === 0) return
    await means.objects.delete(due)
    await store.forgetLooseObjects(db, due, at)
  }
}
