import type { JobDefinition } from '#platform/jobs'
import { DELETE_OBJECTS_JOB, deleteDue, deleteObjects, deleteSoon } from './actions/delete-objects.ts'
import type { Means } from './means.ts'
import { UNUSED_MS } from './rules/index.ts'
import * as store from './store/index.ts'

const DAY_MS = 86_400_000
const BATCH = 500
const BLOBS = 50

/** Rows first, objects afterwards: an object that nothing names costs space, a row without its object would be a lie. */
export function artifactJobs(means: Means): JobDefinition[] {
  const { clock, config } = means
  const db = means.database.kysely
  return [
    {
      name: 'artifacts.drop-expired',
      cron: '27 * * * *',
      async run(_payload, signal) {
        const now = clock.now()
        const unused = new Date(now.getTime() - config.cacheRetentionDays * DAY_MS)
        while (!signal.aborted && (await store.dropExpired(db, now, BATCH)) === BATCH);
        while (!signal.aborted && (await store.dropUnused(db, unused, BATCH)) === BATCH);
        while (!signal.aborted && (await dropBlobs(means, new Date(now.getTime() - UNUSED_MS))) === BLOBS);
        // Also what was written down before it was stored, and then never named.
        await deleteSoon(means, db)
      },
    },
    { name: DELETE_OBJECTS_JOB, apart: 1, run: (_payload, signal) => deleteDue(means, signal) },
  ]
}

/** In one transaction with what says that the objects are to go, so that none is forgotten. */
async function dropBlobs(means: Means, before: Date): Promise<number> {
  return means.database.transaction(async (tx) => {
    const blobs = await store.takeUnused(tx, before, BLOBS)
    for (const { objects } of blobs) await deleteObjects(means, tx, objects)
    return blobs.length
  })
}
