import type { JobDefinition } from '#platform/jobs'
import type { Kit } from '#platform/room'
import { DELETE_OBJECTS_JOB, deleteDue, deleteObjects, deleteSoon } from './actions/delete-objects.ts'
import type { ObjectPort } from './actions/object-port.ts'
import { UNUSED_MS } from './rules/index.ts'
import * as store from './store/index.ts'

const DAY_MS = 86_400_000
const BATCH = 500
const BLOBS = 50

/** Rows first, objects afterwards: an object that nothing names costs space, a row without its object would be a lie. */
export function artifactJobs(kit: Kit, objects: ObjectPort): JobDefinition[] {
  const db = kit.database.kysely
  return [
    {
      name: 'artifacts.drop-expired',
      cron: '27 * * * *',
      async run(_payload, signal) {
        const now = kit.clock.now()
        const unused = new Date(now.getTime() - kit.config.cacheRetentionDays * DAY_MS)
        while (!signal.aborted && (await store.dropExpired(db, now, BATCH)) === BATCH);
        while (!signal.aborted && (await store.dropUnused(db, unused, BATCH)) === BATCH);
        while (!signal.aborted && (await dropBlobs(kit, new Date(now.getTime() - UNUSED_MS))) === BLOBS);
        // Also what was written down before it was stored, and then never named.
        await deleteSoon(kit, db)
      },
    },
    {
      name: DELETE_OBJECTS_JOB,
      apart: 1,
      run: (_payload, signal) => deleteDue(kit, objects, signal),
    },
  ]
}

/** In one transaction with what says that the objects are to go, so that none is forgotten. */
async function dropBlobs(kit: Kit, before: Date): Promise<number> {
  return kit.database.transaction(async (tx) => {
    const blobs = await store.takeUnused(tx, before, BLOBS)
    for (const { objects } of blobs) await deleteObjects(kit, tx, objects)
    return blobs.length
  })
}
