import type { JobDefinition } from '#platform/jobs'
import type { Kit } from '#platform/room'
import type { ObjectPort } from './actions/object-port.ts'
import { partCount, partKey } from './rules/index.ts'
import * as store from './store/index.ts'

const DAY_MS = 86_400_000
const BATCH = 500
const BLOBS = 50

export const DELETE_PARTS_JOB = 'artifacts.delete-parts'

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
        while (!signal.aborted && (await dropBlobs(kit, new Date(now.getTime() - DAY_MS))) === BLOBS);
      },
    },
    {
      name: DELETE_PARTS_JOB,
      apart: 1,
      async run(payload) {
        const blob = readBlob(payload)
        if (!blob) return
        const numbers = Array.from({ length: partCount(blob.size) }, (_, number) => number)
        await objects.delete(numbers.map((number) => partKey(blob.id, number)))
      },
    },
  ]
}

/** In one transaction with the jobs that delete the objects, so that none is forgotten. */
async function dropBlobs(kit: Kit, before: Date): Promise<number> {
  return kit.database.transaction(async (tx) => {
    const blobs = await store.takeUnused(tx, before, BLOBS)
    for (const { id, size } of blobs) {
      await kit.jobs.add(tx, DELETE_PARTS_JOB, { id, size: Number(size) }, { key: `${DELETE_PARTS_JOB}:${id}` })
    }
    return blobs.length
  })
}

function readBlob(payload: unknown): { readonly id: string; readonly size: number } | undefined {
  if (typeof payload !== 'object' || payload === null || !('id' in payload && 'size' in payload)) return undefined
  const { id, size } = payload
  return typeof id === 'string' && typeof size === 'number' ? { id, size } : undefined
}
