import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BackupRefused } from './refused.ts'

const UNFINISHED = 'restore-unfinished'
const MOVED = 'database-moved'

/** From now on and until `endRestore` no start takes the folder for a whole one, however this process ends. */
export function beginRestore(dataDir: string, backup: string): void {
  writeFileSync(join(dataDir, UNFINISHED), `${backup}\n`, { mode: 0o600, flush: true })
}

export function endRestore(dataDir: string): void {
  rmSync(join(dataDir, UNFINISHED))
}

/** Throws BackupRefused where a restore into this folder began and did not end. */
export function refuseUnfinishedFolder(dataDir: string): void {
  if (!existsSync(join(dataDir, UNFINISHED))) return
  throw new BackupRefused(
    `A restore into ${dataDir} did not end, so it holds no whole state. Keep its secret-key where that is the only copy, remove the folder, and restore again.`,
  )
}

export function markMoved(dataDir: string, place: string): void {
  writeFileSync(join(dataDir, MOVED), `${place}\n`, { mode: 0o600, flush: true })
}

/** Throws BackupRefused where the database of this folder lives elsewhere now: two that go on apart would be no good. */
export function refuseMoved(dataDir: string): void {
  const path = join(dataDir, MOVED)
  if (!existsSync(path)) return
  throw new BackupRefused(
    `The database of ${dataDir} was moved to ${readFileSync(path, 'utf8').trim()}: set DATABASE_URL to that one. To go on with the state of before, remove ${path}.`,
  )
}
