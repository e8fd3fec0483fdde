import type { JobDefinition } from '#platform/jobs'
import type { Kit } from '#platform/room'
import { DELETE_PARTS_JOB, deleteObjects, readObjects } from './actions/delete-objects.ts'
import type { ObjectPort } from './actions/object-port.ts'
import * as store from './store/index.ts'

const DAY_MS = 86_400_000
/** Longer than a runner goes on trying to send an archive, or takes to make one that is there an artifact. */
const UNUSED_MS = 3_600_000
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
      },
    },
    {
      name: DELETE_PARTS_JOB,
      apart: 1,
      run: (payload) => objects.delete(readObjects(payload)),
    },
  ]
}

/** In one transaction with the jobs that delete the objects, so that none is forgotten. */
async function dropBlobs(kit: Kit, before: Date): Promise<number> {
  return kit.database.transaction(async (tx) => {
    const blobs = await store.takeUnused(tx, before, BLOBS)
    for (const { objects } of blobs) await deleteObjects(kit, tx, objects)
    return blobs.length
  })
}
