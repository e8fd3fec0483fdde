import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../runner/src/testing/free-port.ts'
import { type Api, createApi } from './api.ts'
import { shareObjects } from './data-folder.ts'
import { type SharedDatabase, startSharedDatabase } from './database.ts'
import { ADMIN_TOKEN, type House, makeDataDir, startHouse } from './house.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { makeWorkDir, type RunnerOptions, type RunnerProcess, startRunner } from './runner.ts'

/** One control plane of several: an address that stays, and a process that comes and goes. */
export interface ControlPlane {
  readonly name: string
  readonly url: string
  readonly api: Api
  /** The present process; undefined without one. */
  house: House | undefined
  /** How its processes ended, one after the other: by which signal, or with which code. */
  readonly ends: string[]
  /** Everything that its processes wrote. */
  readonly outputs: (() => string)[]
}

/** A runner behind a way of its own to the control planes. */
export interface RemoteRunner {
  readonly name: string
  readonly proxy: Proxy
  readonly workDir: string
  process: RunnerProcess | undefined
  readonly outputs: (() => string)[]
  /** Sets its clock on the wall wrong by so much. */
  jumpClock(ms: number): void
}

/** Control planes on one database, and runners which find any of them. */
export interface SharedHouse {
  readonly database: SharedDatabase
  readonly planes: readonly ControlPlane[]
  readonly runners: readonly RemoteRunner[]
  /** Starts all stopped processes. */
  startPlane(plane: ControlPlane): Promise<void>
  startRunner(runner: RemoteRunner): Promise<void>
  addRunner(name: string, options?: RunnerOptions): Promise<RemoteRunner>
  /** Ends all runners, for good. */
  endRunners(): Promise<void>
  stop(): Promise<void>
}

const CLOCK = join(import.meta.dirname, 'jumping-clock.ts')

/** `env` is that of every control plane. */
export async function startSharedHouse(count: number, env: Readonly<Record<string, string>>): Promise<SharedHouse> {
  const database = await startSharedDatabase()
  const secretKey = randomBytes(32).toString('hex')
  const places = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const ports = { port: await freePort(), runnerPort: await freePort() }
      const url = `http://127.0.0.1:${ports.port}`
      const plane: ControlPlane = {
        name: `plane-${at + 1}`,
        url,
        api: createApi(url, ADMIN_TOKEN),
        house: undefined,
        ends: [],
        outputs: [],
      }
      return { plane, ports, dataDir: makeDataDir() }
    }),
  )
  const [first, ...others] = places
  for (const { dataDir } of others) if (first) shareObjects(dataDir, first.dataDir)
  const planes = places.map(({ plane }) => plane)
  const runners: RemoteRunner[] = []
  const starting = new Map<ControlPlane, Promise<void>>()
  const options = new Map<RemoteRunner, RunnerOptions>()

  async function startOnce(plane: ControlPlane): Promise<void> {
    const place = places.find((one) => one.plane === plane)
    if (!place || plane.house) return
    const house = await startHouse({
      dataDir: place.dataDir,
      ports: place.ports,
      env: { ...env, DATABASE_URL: database.url, SECRET_KEY: secretKey },
    })
    plane.outputs.push(house.output)
    plane.house = house
    void forget(plane, house)
  }

  const shared: SharedHouse = {
    database,
    planes,
    runners,
    startPlane(plane) {
      const begun = starting.get(plane) ?? startOnce(plane).finally(() => starting.delete(plane))
      starting.set(plane, begun)
      return begun
    },
    async startRunner(runner) {
      const plane = planes.find(({ house }) => house !== undefined)
      if (runner.process || !plane?.house) return
      const house = { ...plane.house, runnerUrl: `127.0.0.1:${runner.proxy.port}` }
      const started = await startRunner(house, { ...options.get(runner), name: runner.name })
      options.set(runner, { ...options.get(runner), workDir: runner.workDir })
      runner.outputs.push(started.output)
      runner.process = started
    },
    async addRunner(name, given = {}) {
      const proxy = await startProxy(() => places.map(({ ports }) => ports.runnerPort))
      const workDir = given.workDir ?? makeWorkDir()
      const clock = join(workDir, 'wall-clock')
      const runner: RemoteRunner = {
        name,
        proxy,
        workDir,
        process: undefined,
        outputs: [],
        jumpClock: (ms) => writeFileSync(clock, String(ms)),
      }
      const preload = { NODE_OPTIONS: `--import=${CLOCK}`, SIGNALBOX_TEST_CLOCK: clock }
      options.set(runner, { ...given, newWorkDir: workDir, env: { ...preload, ...given.env } })
      runners.push(runner)
      await shared.startRunner(runner)
      return runner
    },
    async endRunners() {
      const ended = runners.splice(0)
      await Promise.all(ended.map((runner) => runner.process?.stop()))
      for (const { proxy } of ended) proxy.close()
      remove(ended.map(({ workDir }) => workDir))
    },
    async stop() {
      await shared.endRunners()
      await Promise.all(planes.map((plane) => plane.house?.stop()))
      await database.stop()
      remove(places.map(({ dataDir }) => dataDir))
    },
  }
  for (const plane of planes) await shared.startPlane(plane)
  return shared
}

/** Once its process has ended. */
async function forget(plane: ControlPlane, house: House): Promise<void> {
  plane.ends.push(await house.ended)
  if (plane.house === house) plane.house = undefined
}

function remove(folders: readonly string[]): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
