import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { type Binaries, findBinaries } from './binaries.ts'
import { chooseOwner, isReachable, type Owner } from './owner.ts'

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
}

const run = promisify(execFile)
const SUPERUSER = 'signalbox'
const DATABASE = 'signalbox'
const READY_TIMEOUT_MS = 30_000
// A socket address holds 107 bytes, and PostgreSQL appends "/.s.PGSQL.5432".
const MAX_SOCKET_DIR = 90

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
 * Starts the server of `dataDir`, making it at the first time. A server that an earlier process left behind
 * (killed before it could stop it) is stopped first; its data is whole, that is what its log is for.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const owner = chooseOwner()
  const home = placeFor(options.dataDir, owner)
  const binaries = findBinaries(owner, join(home, 'postgres-binaries'))
  const cluster = join(home, 'postgres')
  const identity = owner ? { uid: owner.uid, gid: owner.gid } : {}
  await stopLeftover(binaries, cluster, identity)
  await initialize(binaries, cluster, owner, identity)
  const socketDir = makeSocketDir(home, owner)
  const url = `postgres://${SUPERUSER}@localhost/${DATABASE}?host=${encodeURIComponent(socketDir)}`
  const server = supervise(binaries, cluster, socketDir, identity, options)
  try {
    await waitUntilReady(socketDir, options.clock, server.failure)
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    url,
    get pid() {
      return server.pid()
    },
    async stop() {
      await server.stop()
      rmSync(socketDir, { recursive: true, force: true })
    },
  }
}

/** The folder that holds the cluster: `dataDir`, or one below /var/lib where PostgreSQL's account cannot enter it. */
function placeFor(dataDir: string, owner: Owner | undefined): string {
  mkdirSync(dataDir, { recursive: true, mode: owner ? 0o711 : 0o700 })
  if (isReachable(join(dataDir, 'postgres'), owner)) return dataDir
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const elsewhere = `/var/lib/signalbox/${name}`
  mkdirSync(elsewhere, { recursive: true, mode: 0o711 })
  writeFileSync(join(dataDir, 'postgres.location'), `${elsewhere}\n`)
  return elsewhere
}

async function stopLeftover(binaries: Binaries, cluster: string, identity: object): Promise<void> {
  if (!existsSync(join(cluster, 'postmaster.pid'))) return
  await run(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '30'], { ...identity, cwd: '/' }).catch(
    // Not running: the pid file is stale, and the server itself removes it when it starts.
    () => undefined,
  )
}

async function initialize(
  binaries: Binaries,
  cluster: string,
  owner: Owner | undefined,
  identity: object,
): Promise<void> {
  if (existsSync(join(cluster, 'PG_VERSION')) && existsSync(join(cluster, 'signalbox.ready'))) return
  // Without the mark an earlier initdb was interrupted: nothing of worth is in it.
  rmSync(cluster, { recursive: true, force: true })
  mkdirSync(cluster, { recursive: true, mode: 0o700 })
  if (owner) chownSync(cluster, owner.uid, owner.gid)
  // initdb looks for `postgres` beside itself; it needs nothing of our environment.
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  const flags = ['-U', SUPERUSER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions']
  await run(binaries.initdb, ['-D', cluster, ...flags], { ...identity, cwd: '/', env })
  // `--single` creates the database without a running server: one thing less that can be half done.
  await createDatabase(binaries, cluster, identity)
  writeFileSync(join(cluster, 'signalbox.ready'), '')
  if (owner) chownSync(join(cluster, 'signalbox.ready'), owner.uid, owner.gid)
}

function createDatabase(binaries: Binaries, cluster: string, identity: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.postgres, ['--single', '-D', cluster, '-c', 'log_min_messages=error', 'postgres'], {
      ...identity,
      cwd: '/',
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`Creating the database failed: ${complaint.trim()}`)),
    )
    child.stdin.end(`create database ${DATABASE};\n`)
  })
}

function makeSocketDir(home: string, owner: Owner | undefined): string {
  const beside = join(home, 'run')
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

interface Supervised {
  /** Rejects when the server died before it was ever ready. */
  readonly failure: Promise<never>
  pid(): number | undefined
  stop(): Promise<void>
}

function supervise(
  binaries: Binaries,
  cluster: string,
  socketDir: string,
  identity: object,
  options: EmbeddedOptions,
): Supervised {
  const settings = { ...SETTINGS, unix_socket_directories: socketDir, ...options.settings }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => undefined)
  let stopping = false
  let child: ChildProcess | undefined
  let exited: Promise<void> = Promise.resolve()
  let restarts = 0

  function start(): void {
    const spawned = spawn(binaries.postgres, ['-D', cluster, ...flags], {
      ...identity,
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      // A group of its own: a Ctrl-C at the terminal is for us, and we stop the server last.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = spawned
    let tail = ''
    spawned.stderr.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-2000)
      options.log.debug({ postgres: chunk.toString().trim() }, 'embedded database says')
    })
    exited = new Promise((resolve) => {
      spawned.on('error', (error) => {
        failure.reject(error)
        resolve()
      })
      spawned.on('exit', (code, signal) => {
        resolve()
        if (stopping) return
        failure.reject(new Error(`The embedded database ended (${signal ?? code}): ${tail.trim()}`))
        restarts += 1
        const wait = Math.min(100 * restarts, 5000)
        options.log.error({ code, signal, wait, tail }, 'the embedded database died and is started again')
        options.clock.after(wait, () => {
          if (!stopping) start()
        })
      })
    })
  }

  // However this process ends, short of SIGKILL, the server is told to end too.
  const tellServer = (): void => void child?.kill('SIGINT')
  process.once('exit', tellServer)
  start()
  return {
    failure: failure.promise,
    pid: () => child?.pid,
    async stop() {
      stopping = true
      // SIGINT is PostgreSQL's fast shutdown: sessions are ended, a checkpoint is written.
      child?.kill('SIGINT')
      await exited
      process.off('exit', tellServer)
    },
  }
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
