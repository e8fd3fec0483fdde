import { createObjectStore } from '#adapters/object-store'
import type { Config } from '#platform/config'
import { describePlace, loadDatabase, openSnapshot, readKeyChecks, requireEmptyDatabase } from '#platform/database'
import { migrateJobs } from '#platform/jobs'
import type { Log } from '#platform/log'
import { requireKeys } from './keys.ts'
import { LEFT_OUT, SCHEMAS } from './left-out.ts'
import { markMoved } from './marks.ts'
import { copyObjects } from './objects.ts'
import { reachDatabaseAlone } from './reach-database.ts'
import { BackupRefused } from './refused.ts'
import type { Summary } from './summary.ts'

export interface MoveOptions {
  readonly url: string
  /** An `object_store` that gets the objects too; default: they stay where they are. */
  readonly objectsTo: string | undefined
}

/**
 * Fills another, empty database with what this one holds, while no control plane works on either. Nothing of this one is
 * changed, but that a start of the data folder without DATABASE_URL is refused afterwards.
 */
export async function moveDatabase(config: Config, log: Log, { url, objectsTo }: MoveOptions): Promise<Summary> {
  const place = describePlace(url)
  const target = objectsTo === undefined ? undefined : createObjectStore({ ...config, objectStore: objectsTo })
  if (objectsTo !== undefined && objectsTo === config.objectStore) {
    throw new BackupRefused(`The objects are in ${objectsTo} already: leave --objects-to out. Nothing was changed.`)
  }
  await using source = await reachDatabaseAlone(config, log)
  const keys = requireKeys(config, await readKeyChecks(source.url))
  await requireEmptyDatabase(url, SCHEMAS)
  await target?.check()
  const snapshot = await openSnapshot(source.url, { schemas: SCHEMAS, leaveOut: LEFT_OUT })
  try {
    let [objects, missing] = [0, 0]
    const rows = await loadDatabase(url, snapshot, {
      schemas: SCHEMAS,
      makeSchemas: () => migrateJobs(url, log),
      async beforeCommit() {
        if (!target) return
        const copied = await copyObjects(snapshot, createObjectStore(config), (key, bytes) => target.put(key, bytes))
        ;[objects, missing] = [copied.count, copied.missing.length]
      },
    })
    await snapshot.endRows()
    await snapshot.close()
    if (config.databaseUrl === undefined) markMoved(config.dataDir, place)
    return {
      place,
      tables: rows.size,
      rows: [...rows.values()].reduce((sum, count) => sum + count, 0),
      objects,
      missing_objects: missing,
      has_key: keys !== undefined,
    }
  } finally {
    await snapshot.abandon()
  }
}
