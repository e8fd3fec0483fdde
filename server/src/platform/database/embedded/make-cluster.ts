import { execFile, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { clusterOf } from './examine-cluster.ts'
import type { Owner } from './owner.ts'
import { DatabaseRefused, explainEnd } from './refused.ts'
import { identityOf, seenBy } from './seen-by.ts'

export const SUPERUSER = 'signalbox'
export const DATABASE = 'signalbox'

/** A cluster under way has this name, so that `postgres` is either whole or not there. */
const UNFINISHED = 'postgres.unfinished-'

/** Steps between which a start may be killed; tests kill there. */
export type MakingStep = 'initialized' | 'filled' | 'renamed'

/**
 * Makes the cluster of a data folder that has none: beside its place, and renamed when it is whole and on disk. Each
 * start uses a folder with a name of its own, so an `initdb` that outlives a killed start harms nothing.
 */
export async function makeCluster(
  dataDir: string,
  binaries: Binaries,
  owner: Owner | undefined,
  reached: (step: MakingStep) => void = () => undefined,
): Promise<void> {
  removeUnfinished(dataDir)
  const folder = mkdtempSync(join(dataDir, UNFINISHED))
  if (owner) chownSync(folder, owner.uid, owner.gid)
  await initialize(binaries, folder, owner)
  reached('initialized')
  await createDatabase(binaries, folder, owner)
  reached('filled')
  try {
    // Replaces an empty folder too, and nothing else.
    renameSync(folder, clusterOf(dataDir))
  } catch (cause) {
    throw new DatabaseRefused(
      'database.not_understood',
      `The database cannot be put at ${clusterOf(dataDir)}. Mount a disk of its own at ${dataDir}, not at a folder in it, and remove the files there.`,
      { cause },
    )
  }
  syncFolder(dataDir)
  reached('renamed')
}

/**
 * Only a cluster on which no server was ever started goes here: each server writes `postmaster.opts` first. A folder
 * with that file is somebody's data under a strange name, and stays.
 */
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const folder = join(dataDir, name)
    if (!name.startsWith(UNFINISHED) || existsSync(join(folder, 'postmaster.opts'))) continue
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // An initdb of a killed start still writes there: the next start removes the rest.
    }
  }
}

function initialize(binaries: Binaries, folder: string, owner: Owner | undefined): Promise<void> {
  // initdb looks for `postgres` beside itself; it needs nothing of our environment.
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  const flags = ['-U', SUPERUSER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions']
  const options = { ...identityOf(owner), cwd: folder, env }
  return new Promise((resolve, reject) => {
    execFile(binaries.initdb, ['-D', seenBy(owner, folder), ...flags], options, (error, _stdout, stderr) => {
      if (error) reject(explainEnd(folder, stderr || error.message))
      else resolve()
    })
  })
}

/** `--single` creates the database without a running server: one thing less that can be half done. */
function createDatabase(binaries: Binaries, folder: string, owner: Owner | undefined): Promise<void> {
  const args = ['--single', '-D', seenBy(owner, folder), '-c', 'log_min_messages=error', 'postgres']
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.postgres, args, {
      ...identityOf(owner),
      cwd: folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.stdin.on('error', () => undefined)
    child.on('error', (error) => reject(explainEnd(folder, error.message)))
    // In this mode a statement that fails is only said, and the end is 0 all the same.
    child.on('close', (code) => {
      if (code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(complaint)) resolve()
      else reject(explainEnd(folder, complaint))
    })
    child.stdin.end(`create database ${DATABASE};\n`)
  })
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
