import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { findBinaries } from './binaries.ts'
import { listEmptyEntries, makeEmptyEntries } from './empty-entries.ts'
import { clusterOf, examineCluster } from './examine-cluster.ts'
import { stopLeftover } from './leftover.ts'
import { DATABASE, type MakingStep, makeCluster, SUPERUSER } from './make-cluster.ts'
import { chooseOwner, type Owner } from './owner.ts'
import { DatabaseRefused } from './refused.ts'
import { requireWhole } from './require-whole.ts'
import { identityOf, seenBy, seenByDescriptor } from './seen-by.ts'
import { supervise } from './supervise.ts'

/** A real PostgreSQL server of this process alone, on a Unix socket, restarted when it dies. */
export interface EmbeddedServer {
  readonly url: string
  readonly pid: number | undefined
  /** Ends it cleanly: sessions are closed and everything is on disk. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly log: Log
  readonly clock: Clock
  /** Further `-c name=value` settings; tests switch fsync off. */
  readonly settings?: Readonly<Record<string, string>>
  /** Why a data folder without a database gets no new one: a sentence for an operator. */
  readonly whyNotNew?: string
  /** Told of the steps of a first start, after each. */
  readonly reached?: (step: MakingStep) => void
}

const READY_TIMEOUT_MS = 30_000
// A socket address holds 107 bytes, and PostgreSQL appends "/.s.PGSQL.5432".
const MAX_SOCKET_DIR = 90
/** The first descriptor after the three that every program has. */
const SOCKETS_FD = 3

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '80',
  shared_buffers: '128MB',
  // No replication from the embedded server: less to write for each commit.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  jit: 'off',
  // Disks of today, and tables that mostly fit in memory: with the default of 4 it reads middling tables whole.
  random_page_cost: '1.1',
  logging_collector: 'off',
  log_min_messages: 'warning',
}

/**
 * Starts the server of `dataDir`, making it at the first time. Existing files are neither deleted nor made anew: a
 * folder that is no startable cluster is refused (DatabaseRefused). A server that an earlier process left behind is
 * stopped first.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, log, clock } = options
  const owner = chooseOwner()
  mkdirSync(dataDir, { recursive: true, mode: owner ? 0o711 : 0o700 })
  const cluster = clusterOf(dataDir)
  const binaries = findBinaries(owner, dataDir)
  const identity = identityOf(owner)
  const state = examineCluster(dataDir, owner, binaries.major)
  if (state === 'absent') {
    if (options.whyNotNew !== undefined) {
      throw new DatabaseRefused('database.not_understood', `${cluster} has no database. ${options.whyNotNew}`)
    }
    await makeCluster(dataDir, binaries, owner, options.reached)
  }
  await stopLeftover(cluster, binaries, identity, clock)
  await makeEmptyEntries(dataDir, cluster, identity)
  const socketDir = makeSocketDir(dataDir, owner)
  const settings = {
    ...SETTINGS,
    unix_socket_directories: seenByDescriptor(owner, socketDir, SOCKETS_FD),
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', seenBy(owner, cluster), ...flags]
  const server = supervise({ program: binaries.postgres, args, cluster, socketDir, identity }, log, clock)
  try {
    await waitUntilReady(socketDir, clock, server.failure)
    await requireWhole(socketDir, cluster)
  } catch (error) {
    await server.stop()
    rmSync(socketDir, { recursive: true, force: true })
    throw error
  }
  return {
    url: urlOf(socketDir),
    get pid() {
      return server.pid()
    },
    async stop() {
      await server.stop()
      rmSync(socketDir, { recursive: true, force: true })
      await listEmptyEntries(dataDir, cluster).catch((error: unknown) =>
        log.warn({ err: error }, 'the list of empty files of the database could not be written: a backup needs them'),
      )
    },
  }
}

/** The address of the server that another process runs on this data folder. Throws DatabaseRefused where it is not known. */
export function urlOfRunning(dataDir: string): string {
  const socketDir = join(dataDir, 'run')
  if (existsSync(join(socketDir, '.s.PGSQL.5432'))) return urlOf(socketDir)
  throw new DatabaseRefused(
    'database.unreachable',
    `The control plane of ${dataDir} has no socket in ${socketDir}: it starts or stops now, or its path is too long for one. Try again, or stop the control plane first.`,
  )
}

function urlOf(socketDir: string): string {
  return `postgres://${SUPERUSER}@localhost/${DATABASE}?host=${encodeURIComponent(socketDir)}`
}

function makeSocketDir(dataDir: string, owner: Owner | undefined): string {
  const beside = join(dataDir, 'run')
  let dir = beside
  if (Buffer.byteLength(beside) > MAX_SOCKET_DIR) dir = mkdtempSync(join(tmpdir(), 'signalbox-'))
  else {
    rmSync(beside, { recursive: true, force: true })
    mkdirSync(beside, { recursive: true })
  }
  chmodSync(dir, 0o700)
  if (owner) chownSync(dir, owner.uid, owner.gid)
  return dir
}

async function waitUntilReady(socketDir: string, clock: Clock, failure: Promise<never>): Promise<void> {
  const deadline = clock.monotonic() + READY_TIMEOUT_MS
  for (;;) {
    const client = new pg.Client({ host: socketDir, user: SUPERUSER, database: DATABASE })
    client.on('error', () => undefined)
    try {
      await Promise.race([client.connect(), failure])
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => undefined)
      if (clock.monotonic() > deadline) throw error
      await Promise.race([clock.sleep(10), failure])
    }
  }
}
