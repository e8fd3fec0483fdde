import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config'
import { findMasterKeys, MasterKeyWrong, masterKeyPath } from '#platform/crypto'
import { connectToStart, DatabaseRefused, inspectCluster } from '#platform/database'
import { findFreeSpace } from '#platform/disk'
import { refuseMoved, refuseUnfinishedFolder } from './backup/marks.ts'
import { BackupRefused } from './backup/refused.ts'
import { inspectObjectPlace, ObjectPlaceWrong } from './object-place.ts'

/** What `signalbox doctor` tells of the ground that a start would stand on. */
export interface Inspected {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly name: string
  readonly message: string
  readonly remedy?: string
}

/** Looks at database, key and disk as a start would, and changes nothing; also while a server runs there. */
export async function inspectGround(config: Config): Promise<Inspected[]> {
  const unfinished = inspectMarks(config)
  if (unfinished) return [unfinished]
  const database =
    config.databaseUrl === undefined ? inspectOwn(config.dataDir) : await inspectOther(config.databaseUrl)
  const objects = database.level === 'ok' ? await inspectObjects(config) : []
  return [database, ...inspectKey(config, database), ...objects, ...(await inspectDisk(config))]
}

/** A start that a mark forbids needs no other finding. */
function inspectMarks({ dataDir, databaseUrl }: Config): Inspected | undefined {
  try {
    refuseUnfinishedFolder(dataDir)
    if (databaseUrl === undefined) refuseMoved(dataDir)
    return undefined
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error
    return { level: 'fail', name: 'database', message: error.message }
  }
}

function inspectOwn(dataDir: string): Inspected {
  try {
    const message =
      inspectCluster(dataDir) === 'whole'
        ? `${dataDir}/postgres is a database of this version.`
        : `${dataDir} has no database yet; the first start makes it.`
    return { level: 'ok', name: 'database', message }
  } catch (error) {
    return refused(error)
  }
}

async function inspectOther(url: string): Promise<Inspected> {
  try {
    const client = await connectToStart(url, 'signalbox doctor')
    await client.end().catch(() => undefined)
    return { level: 'ok', name: 'database', message: 'The database of DATABASE_URL lets us in.' }
  } catch (error) {
    return refused(error)
  }
}

function refused(error: unknown): Inspected {
  if (!(error instanceof DatabaseRefused)) throw error
  return { level: 'fail', name: 'database', message: error.message }
}

/** A database that was never migrated knows of no folder. */
async function inspectObjects(config: Config): Promise<Inspected[]> {
  try {
    await inspectObjectPlace(config)
    return []
  } catch (error) {
    if (!(error instanceof ObjectPlaceWrong)) return []
    return [{ level: 'fail', name: 'objects', message: error.message }]
  }
}

function inspectKey({ dataDir, databaseUrl, secretKey, secretKeyLost }: Config, database: Inspected): Inspected[] {
  const path = masterKeyPath(dataDir)
  const name = 'secret key'
  try {
    if (!findMasterKeys({ configured: secretKey, dataDir })) {
      if (databaseUrl !== undefined) {
        return [{ level: 'fail', name, message: 'DATABASE_URL needs a SECRET_KEY.', remedy: 'openssl rand -hex 32' }]
      }
      if (database.level !== 'ok' || !existsSync(join(dataDir, 'postgres'))) return []
      return [{ name, ...sayMissing(path, secretKeyLost) }]
    }
  } catch (error) {
    if (!(error instanceof MasterKeyWrong)) throw error
    return [{ level: 'fail', name, message: error.message }]
  }
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & 0o077) !== 0)
    return [{ level: 'warn', name, message: `Others can read ${path}.`, remedy: `chmod 600 ${path}` }]
  const isAlone = databaseUrl === undefined && existsSync(path) && !existsSync(join(dataDir, 'postgres'))
  if (!isAlone) return [{ level: 'ok', name, message: 'There is one.' }]
  const remedy = 'Restore the database from the backup, or, to begin anew, move the key away.'
  return [{ level: 'fail', name, message: `${path} has no database beside it.`, remedy }]
}

/** Beside a database: a start is refused, unless it may give up what the key sealed. */
function sayMissing(path: string, isLost: boolean): Omit<Inspected, 'name'> {
  if (isLost) {
    return { level: 'warn', message: `${path} is missing, and a start makes a new key, as secret_key_lost says.` }
  }
  const remedy = 'Bring it back from the backup, or set SECRET_KEY to its content.'
  return { level: 'fail', message: `${path} is missing: no start opens the sealed values of the database.`, remedy }
}

async function inspectDisk({ dataDir, minFreeDisk, databaseUrl, objectStore }: Config): Promise<Inspected[]> {
  if (databaseUrl !== undefined && objectStore !== 'folder') return []
  const { bytes } = await findFreeSpace(dataDir)
  const message = `${Math.floor(bytes / 1024 ** 2)} MiB are free on the disk of ${dataDir}.`
  const remedy = 'Make room there, or give it more: below min_free_disk the service is not ready.'
  return [
    bytes < minFreeDisk ? { level: 'fail', name: 'disk', message, remedy } : { level: 'ok', name: 'disk', message },
  ]
}
