import { setTimeout as pause } from 'node:timers/promises'
import { familyOf, signalAll } from '../house/processes.ts'
import type { ControlPlane, RemoteRunner, SharedHouse } from '../house/shared-house.ts'
import { waitFor } from '../house/wait.ts'
import type { Recorder } from './history.ts'
import { type Fault, partOf } from './schedule.ts'

const AWAIT_MS = 300_000
/** This many faults strike, however long the house takes to recover from each. */
const LEAST_FAULTS = 5

/**
 * Does to the house what the schedule says, and puts each thing right again; resolves when all of it is. A part that
 * still suffers is not struck again before it is back. After the end of the time, only the first few faults are still
 * struck.
 */
export async function strike(
  shared: SharedHouse,
  faults: readonly Fault[],
  durationMs: number,
  recorder: Recorder,
): Promise<void> {
  const beganAt = performance.now()
  const suffering = new Map<string, Promise<void>>()
  let done = 0
  const strikes = faults.map((fault) => {
    const part = `${partOf(fault.kind)} ${fault.target}`
    const before = suffering.get(part)
    const struck = (async () => {
      await pause(Math.max(0, fault.atMs - (performance.now() - beganAt)))
      await before
      const isInTime = performance.now() - beganAt + fault.forMs <= durationMs
      if (!isInTime && done >= LEAST_FAULTS) return
      done += 1
      await strikeOnce(shared, fault, recorder)
    })()
    suffering.set(part, struck)
    return struck
  })
  await Promise.all(strikes)
}

async function strikeOnce(shared: SharedHouse, fault: Fault, recorder: Recorder): Promise<void> {
  const what = { fault: fault.kind, target: targetOf(shared, fault) }
  recorder.record({ kind: 'fault', ...what, until: Date.now() + fault.forMs })
  const undo = await apply(shared, fault)
  await pause(fault.forMs)
  const endedAt = performance.now()
  const tookMs = (): number => Math.round(performance.now() - endedAt)
  await undo().then(
    () => recorder.record({ kind: 'recovered', ...what, tookMs: tookMs() }),
    (error: unknown) => recorder.record({ kind: 'unrecovered', ...what, why: String(error) }),
  )
}

function targetOf({ planes, runners }: SharedHouse, { kind, target }: Fault): string {
  if (kind.startsWith('plane')) return planes[target]?.name ?? ''
  return kind.startsWith('database') ? 'database' : (runners[target]?.name ?? '')
}

type Undo = () => Promise<unknown>

async function apply(shared: SharedHouse, fault: Fault): Promise<Undo> {
  const plane = shared.planes[fault.target]
  const runner = shared.runners[fault.target]
  switch (fault.kind) {
    case 'plane_killed':
      return plane ? endPlane(shared, plane, 'SIGKILL') : nothing
    case 'plane_stopped':
      return plane ? endPlane(shared, plane, 'SIGTERM') : nothing
    case 'plane_frozen':
      return plane ? freezePlane(plane) : nothing
    case 'runner_killed':
      return runner ? killRunner(shared, runner) : nothing
    case 'runner_frozen':
      return runner ? freezeRunner(shared, runner) : nothing
    case 'way_cut':
      runner?.proxy.cut()
      return runner ? () => untilConnected(shared, runner) : nothing
    case 'way_partitioned':
      return runner ? spoilWay(shared, runner, { kind: 'partition' }) : nothing
    case 'way_half_open':
      return runner ? spoilWay(shared, runner, { kind: 'half_open' }) : nothing
    case 'way_slow':
      return runner ? spoilWay(shared, runner, { kind: 'slow', delayMs: fault.byMs }) : nothing
    case 'database_crashed':
      shared.database.crash()
      return () => untilReady(shared)
    case 'database_frozen':
      return freezeDatabase(shared)
    case 'clock_jumped':
      runner?.jumpClock(fault.byMs)
      return nothing
  }
}

const nothing: Undo = async () => undefined

async function endPlane(shared: SharedHouse, plane: ControlPlane, signal: NodeJS.Signals): Promise<Undo> {
  await plane.house?.kill(signal)
  // The database may be away just then: a failed start is made again, as an operator would.
  return () =>
    waitFor(
      `${plane.name} to be started again`,
      async () => {
        await shared.startPlane(plane)
        return plane.house !== undefined
      },
      (started) => started,
      AWAIT_MS,
    )
}

async function freezePlane(plane: ControlPlane): Promise<Undo> {
  const pid = plane.house?.pid
  if (pid === undefined) return nothing
  signalAll([pid], 'SIGSTOP')
  return async () => {
    signalAll([pid], 'SIGCONT')
    await untilHealthy(plane)
  }
}

async function killRunner(shared: SharedHouse, runner: RemoteRunner): Promise<Undo> {
  await runner.process?.kill('SIGKILL')
  runner.process = undefined
  return () =>
    waitFor(
      `${runner.name} to be started again`,
      async () => {
        await shared.startRunner(runner)
        return runner.process !== undefined
      },
      (started) => started,
      AWAIT_MS,
    )
}

/** Stops the runner as a suspended machine would: its tasks with it. */
async function freezeRunner(shared: SharedHouse, runner: RemoteRunner): Promise<Undo> {
  const pid = runner.process?.pid
  if (pid === undefined) return nothing
  const family = familyOf(pid)
  signalAll(family, 'SIGSTOP')
  return async () => {
    signalAll(family, 'SIGCONT')
    await untilConnected(shared, runner)
  }
}

function spoilWay(
  shared: SharedHouse,
  runner: RemoteRunner,
  weather: Parameters<RemoteRunner['proxy']['setWeather']>[0],
): Undo {
  runner.proxy.setWeather(weather)
  return async () => {
    runner.proxy.setWeather({ kind: 'fair' })
    await untilConnected(shared, runner)
  }
}

async function freezeDatabase(shared: SharedHouse): Promise<Undo> {
  const family = familyOf(shared.database.pid())
  signalAll(family, 'SIGSTOP')
  return async () => {
    signalAll(family, 'SIGCONT')
    await untilReady(shared)
  }
}

function untilReady(shared: SharedHouse): Promise<unknown> {
  return Promise.all(shared.planes.map(untilHealthy))
}

/** Another fault took an absent plane away, and waits for it. */
function untilHealthy(plane: ControlPlane): Promise<unknown> {
  return waitFor(
    `${plane.name} to be ready`,
    async () => plane.house === undefined || (await plane.api.ask('GET', '/healthz')).status === 200,
    (ready) => ready,
    AWAIT_MS,
  )
}

function untilConnected(shared: SharedHouse, { name }: RemoteRunner): Promise<unknown> {
  return waitFor(
    `${name} to be connected`,
    async () => {
      const known = await anyOf(shared).get<{ name: string; connected: boolean }[]>('/v1/runners')
      return known.some((one) => one.name === name && one.connected)
    },
    (connected) => connected || shared.runners.find((one) => one.name === name)?.process === undefined,
    AWAIT_MS,
  )
}

/** The first that runs; a frozen one does not answer, and is asked no more once the time is over. */
function anyOf({ planes }: SharedHouse): ControlPlane['api'] {
  const plane = planes.find(({ house }) => house !== undefined) ?? planes[0]
  if (!plane) throw new Error('There is no control plane.')
  return plane.api
}
