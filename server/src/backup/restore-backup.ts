import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createObjectStore } from '#adapters/object-store'
import type { Config } from '#platform/config'
import { findMasterKeys, type MasterKeys, masterKeyPath, writeMasterKeys } from '#platform/crypto'
import { loadDatabase, requireEmptyDatabase } from '#platform/database'
import { migrateJobs } from '#platform/jobs'
import type { Log } from '#platform/log'
import { requireKeys } from './keys.ts'
import { SCHEMAS } from './left-out.ts'
import { sealedBy } from './manifest.ts'
import { beginRestore, endRestore, refuseUnfinishedFolder } from './marks.ts'
import { copyObjects } from './objects.ts'
import { type Backup, openBackup } from './open-backup.ts'
import { type Reached, startOwn } from './reach-database.ts'
import { BackupRefused } from './refused.ts'
import type { Summary } from './summary.ts'

/**
 * Makes a new data folder, or fills an empty external database, from a backup. Everything is looked at before anything is
 * written; until all of it is there, no start takes the place for a whole one.
 */
export async function restoreBackup(config: Config, log: Log, from: string): Promise<Summary> {
  const { dataDir } = config
  const folder = resolve(from)
  refuseUnfinishedFolder(dataDir)
  requireEmptyFolder(config)
  if (config.databaseUrl !== undefined) await requireEmptyDatabase(config.databaseUrl, SCHEMAS)
  const backup = await openBackup(folder, config)
  const { manifest } = backup
  const keys = requireKeys(config, sealedBy(manifest), keysIn(folder))
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  beginRestore(dataDir, folder)
  const rows = await fill(config, log, backup).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    const again = config.databaseUrl === undefined ? '' : ' and the database'
    throw new BackupRefused(`The restore did not end: ${why} Remove ${dataDir}${again}, and restore again.`, { cause })
  })
  const isHere = config.secretKey !== undefined || existsSync(masterKeyPath(dataDir))
  if (keys && !isHere) writeMasterKeys(masterKeyPath(dataDir), keys)
  endRestore(dataDir)
  return {
    place: config.databaseUrl === undefined ? dataDir : 'the database of DATABASE_URL',
    tables: rows.size,
    rows: [...rows.values()].reduce((sum, count) => sum + count, 0),
    objects: manifest.objects.count,
    missing_objects: manifest.objects.missing.length,
    has_key: keys !== undefined,
  }
}

async function fill(config: Config, log: Log, backup: Backup): Promise<ReadonlyMap<string, number>> {
  await using database = await reachEmpty(config, log)
  const store = createObjectStore(config)
  await store.check()
  return await loadDatabase(database.url, backup.rows, {
    schemas: SCHEMAS,
    makeSchemas: () => migrateJobs(database.url, log),
    async beforeCommit() {
      const { count } = await copyObjects(backup.rows, backup.objects, (key, bytes) => store.put(key, bytes))
      if (count !== backup.manifest.objects.count) throw new Error('The backup changed while it was read.')
    },
  })
}

async function reachEmpty(config: Config, log: Log): Promise<Reached> {
  if (config.databaseUrl === undefined) return startOwn(config.dataDir, log, 0)
  return { url: config.databaseUrl, [Symbol.asyncDispose]: async () => undefined }
}

/** With a database elsewhere the folder keeps the objects alone, if those. */
function requireEmptyFolder({ dataDir, databaseUrl, objectStore }: Config): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : []
  const [first] =
    databaseUrl === undefined
      ? names.filter((name) => name !== 'secret-key')
      : names.filter(
          (name) => name === 'objects' && objectStore === 'folder' && readdirSync(join(dataDir, name)).length > 0,
        )
  if (first === undefined) return
  throw new BackupRefused(
    `${dataDir} is not empty, it has ${first}: set DATA_DIR to a new folder. The folder may hold secret-key, and nothing else. Nothing was changed.`,
  )
}

/** The objects that were saved with the rows. */
function keysIn(folder: string): MasterKeys | undefined {
  return findMasterKeys({ configured: undefined, dataDir: folder })
}
