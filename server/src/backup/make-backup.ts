import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createObjectStore } from '#adapters/object-store'
import type { Config } from '#platform/config'
import { masterKeyPath, writeMasterKeys } from '#platform/crypto'
import { openSnapshot, readKeyChecks, type Snapshot } from '#platform/database'
import type { Log } from '#platform/log'
import { systemClock } from '#platform/time'
import { requireKeys } from './keys.ts'
import { LEFT_OUT, SCHEMAS } from './left-out.ts'
import { type BackedUpTable, rowsPath, writeManifest } from './manifest.ts'
import { type Copied, copyObjects } from './objects.ts'
import { objectsIn, rowsIn } from './open-backup.ts'
import { reachDatabase } from './reach-database.ts'
import { BackupRefused } from './refused.ts'
import { writeRows } from './row-files.ts'
import type { Summary } from './summary.ts'

export interface BackupOptions {
  /** Made now; it must not exist. */
  readonly folder: string
  /** The secret key goes into the backup too. */
  readonly withKey: boolean
  /** Objects that rows name and that the store has lost do not keep the rest from being saved. */
  readonly allowMissingObjects: boolean
  /** Of this program. */
  readonly version: string
}

/**
 * Saves what the database holds at one instant, and every object that it names then, while control planes go on. The
 * folder has its name only once all of it is on disk.
 */
export async function makeBackup(config: Config, log: Log, options: BackupOptions): Promise<Summary> {
  const folder = resolve(options.folder)
  const begun = systemClock.now()
  await using database = await reachDatabase(config, log)
  const checks = await readKeyChecks(database.url)
  const keys = options.withKey ? requireKeys(config, checks) : undefined
  const unfinished = makeFolder(folder)
  try {
    const snapshot = await openSnapshot(database.url, { schemas: SCHEMAS, leaveOut: LEFT_OUT })
    try {
      const tables = await saveRows(snapshot, unfinished)
      await snapshot.endRows()
      const { migrations, sequences } = snapshot
      const rows = rowsIn(unfinished, { tables, migrations: [...migrations], sequences: [...sequences] })
      const kept = objectsIn(unfinished, config)
      const objects = await copyObjects(rows, createObjectStore(config), (key, bytes) => kept.put(key, bytes))
      if (!options.allowMissingObjects) requireAll(objects)
      await snapshot.close()
      if (keys) writeMasterKeys(masterKeyPath(unfinished), keys)
      writeManifest(unfinished, {
        format: 1,
        version: options.version,
        made_at: begun.toISOString(),
        migrations: [...migrations],
        tables,
        sequences: [...sequences],
        sealed_by: Object.fromEntries([...checks].map(([version, check]) => [String(version), check.toString('hex')])),
        objects: { ...objects, missing: [...objects.missing] },
        has_key: keys !== undefined,
      })
      publish(unfinished, folder)
      return {
        place: folder,
        tables: tables.length,
        rows: tables.reduce((sum, table) => sum + table.rows, 0),
        objects: objects.count,
        bytes: tables.reduce((sum, table) => sum + table.bytes, objects.bytes),
        missing_objects: objects.missing.length,
        has_key: keys !== undefined,
      }
    } finally {
      await snapshot.abandon()
    }
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

/** Mode 0700, as everything in it is closed to others. */
function makeFolder(folder: string): string {
  if (existsSync(folder)) throw new BackupRefused(`${folder} exists: name a folder that does not. Nothing was changed.`)
  const unfinished = `${folder}.unfinished`
  try {
    mkdirSync(unfinished, { mode: 0o700 })
    mkdirSync(join(unfinished, 'tables'), { mode: 0o700 })
    return unfinished
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it failed'
    const advice =
      code === 'EEXIST'
        ? `is there, of a backup that is being made or did not end: remove it, or name another folder`
        : `cannot be made (${code}): its parent folder must exist, and this user must be allowed to write there`
    throw new BackupRefused(`${unfinished} ${advice}.`, { cause })
  }
}

async function saveRows(snapshot: Snapshot, folder: string): Promise<BackedUpTable[]> {
  const tables: BackedUpTable[] = []
  for (const table of snapshot.tables) {
    const file = writeRows(rowsPath(folder, table))
    const [rows, mark] = await Promise.all([snapshot.copyRows(table, file.input), file.done])
    tables.push({ ...table, columns: [...table.columns], rows, ...mark })
  }
  return tables
}

function requireAll({ missing }: Copied): void {
  const [first] = missing
  if (first === undefined) return
  throw new BackupRefused(
    `${missing.length} objects of artifacts or caches are missing in the object store or differ from those stored, the first is ${first}. Look at object_store, or leave them out with --allow-missing-objects.`,
  )
}

function publish(unfinished: string, folder: string): void {
  for (const place of [join(unfinished, 'tables'), unfinished]) sync(place)
  if (existsSync(folder)) throw new BackupRefused(`${folder} was made by somebody else meanwhile: name another folder.`)
  renameSync(unfinished, folder)
  sync(dirname(folder))
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
