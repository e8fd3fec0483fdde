import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type Api, createApi } from './api.ts'
import { furnish } from './data-folder.ts'
import { surroundings } from './surroundings.ts'

/** The whole product in processes of its own, as a user runs it. */
export interface House {
  readonly api: Api
  readonly url: string
  readonly runnerUrl: string
  readonly dataDir: string
  readonly pid: number
  /** Everything that the control plane wrote to its log. */
  readonly output: () => string
  /** Resolves with the signal or code when the control plane ends by itself or by a fail point. */
  readonly ended: Promise<string>
  kill(signal: NodeJS.Signals): Promise<void>
  /** SIGTERM, and the clean end that follows. */
  stop(): Promise<void>
}

export interface HouseOptions {
  /** A folder to find again; default: a new one, removed at the end. */
  readonly dataDir?: string
  /** Ports to find again after a restart; default: free ones. */
  readonly ports?: { readonly port: number; readonly runnerPort: number }
  readonly env?: Readonly<Record<string, string>>
  /** The program of the control plane; default: that of the product. */
  readonly program?: string
  /** A command that ends by becoming the one given to it as its last arguments, such as `unshare`. */
  readonly within?: readonly string[]
}

export const ADMIN_TOKEN = `admin-${randomBytes(12).toString('hex')}`
const MAIN = join(import.meta.dirname, '../../server/bin/signalbox-server.mjs')
const START_TIMEOUT_MS = 180_000

export async function startHouse(options: HouseOptions = {}): Promise<House> {
  const dataDir = options.dataDir ?? makeDataDir()
  // A house within another command starts with an empty folder; a house with a database elsewhere needs no folder.
  if (!options.within && options.env?.['DATABASE_URL'] === undefined) furnish(dataDir)
  const ports = options.ports ?? { port: await freePort(), runnerPort: await freePort() }
  const [command = process.execPath, ...args] = [...(options.within ?? []), process.execPath, options.program ?? MAIN]
  const child = spawn(command, args, {
    cwd: dataDir,
    env: {
      ...surroundings,
      DATA_DIR: dataDir,
      PORT: String(ports.port),
      RUNNER_PORT: String(ports.runnerPort),
      BOOTSTRAP_ADMIN_TOKEN: ADMIN_TOKEN,
      LOG_PRETTY: 'false',
      // No test calls a provider that is not its own.
      PROVIDER_HOSTS: '127.0.0.1',
      ...options.env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<string>((resolve) => child.on('exit', (code, signal) => resolve(signal ?? String(code))))
  const url = `http://127.0.0.1:${ports.port}`
  await waitUntilReady(url, ended, () => output).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    api: createApi(url, ADMIN_TOKEN),
    url,
    runnerUrl: `127.0.0.1:${ports.runnerPort}`,
    dataDir,
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    async kill(signal) {
      child.kill(signal)
      await ended
    },
    async stop() {
      await end(child, ended)
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-e2e-'))
  // PostgreSQL's and the tasks' accounts must be able to pass through.
  chmodSync(dataDir, 0o711)
  return dataDir
}

/** The pid of the embedded server of this data folder; 0 while there is none. */
export function postgresPid(dataDir: string): number {
  const file = join(dataDir, 'postgres/postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
}

/** Sends a signal to the embedded server of this data folder, which must run: to 0 would be to ourselves. */
export function signalPostgres(dataDir: string, signal: NodeJS.Signals): void {
  const pid = postgresPid(dataDir)
  if (pid === 0) throw new Error(`No PostgreSQL runs in ${dataDir}.`)
  process.kill(pid, signal)
}

async function end(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  await ended
}

async function waitUntilReady(url: string, ended: Promise<string>, output: () => string): Promise<void> {
  let over: string | undefined
  void ended.then((how) => (over = how))
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const ready = await fetch(`${url}/healthz`).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
    if (ready) return
    if (over !== undefined) throw new Error(`The control plane ended (${over}):\n${output()}`)
    if (performance.now() > deadline) throw new Error(`The control plane was not ready in time:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
