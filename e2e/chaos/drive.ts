import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openFiles, residentMb } from '../house/processes.ts'
import { isFinal } from '../house/runs.ts'
import type { SharedHouse } from '../house/shared-house.ts'
import { checkHistory, type Violation } from './checker/index.ts'
import { collect, outputsOf } from './collect.ts'
import { type Ground, LEASE_SECONDS, openGround } from './ground.ts'
import { guard } from './guard.ts'
import { type History, openRecorder, type Recorder, type Size } from './history.ts'
import { load } from './load.ts'
import { strike } from './nemesis.ts'
import { scheduleFaults } from './schedule.ts'
import type { RunShown } from './stored-runs.ts'
import { watch } from './watch.ts'

export interface DriveOptions {
  readonly seed: number
  readonly minutes: number
  /** The folder of the history file. */
  readonly folder: string
}

export interface Outcome {
  readonly history: History
  readonly violations: readonly Violation[]
  readonly file: string
}

/** Between the beginnings of two faults, on average. */
const PAUSE_MS = 4000
const WARM_MS = 2000
/** Without any change for so long (and a lease), nothing more happens by itself. */
const QUIET_MS = 30_000
const SETTLE_MS = 240_000
/** Runs that must have begun, at least: fewer would be no load. */
const LEAST_RUNS = 5
const BOUNDS = { leaseMs: LEASE_SECONDS * 1000, residentMb: 512, connections: 64 }

/** Starts everything, lets the seed's faults loose on it, waits until all has settled, and judges the history. */
export async function drive({ seed, minutes, folder }: DriveOptions): Promise<Outcome> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `history-${seed}.jsonl`)
  using recorder = openRecorder(file, Date.now)
  await using ground = await openGround(folder)
  recorder.record({ kind: 'began', seed, minutes })
  try {
    await play(ground, { seed, minutes, folder }, recorder)
  } finally {
    // The outputs are kept, too: without a control plane to ask, they are the only source.
    for (const [name, output] of outputsOf(ground)) writeFileSync(join(folder, `${name}-${seed}.log`), output)
  }
  for (const effect of ground.effects.read()) recorder.record({ kind: 'effect', effect })
  const secrets = [ground.secret, ground.team.webhookSecret]
  const history: History = {
    seen: recorder.seen,
    stored: await collect(ground),
    secrets,
    bounds: BOUNDS,
  }
  return { history, violations: checkHistory(history), file }
}

async function play(ground: Ground, { seed, minutes, folder }: DriveOptions, recorder: Recorder): Promise<void> {
  const { shared } = ground
  const durationMs = minutes * 60_000
  const stopping = new AbortController()
  const loading = load(ground, seed, recorder, stopping.signal)
  const watching = new AbortController()
  const watched = watch(ground, seed, recorder, watching.signal)
  const guarded = guard({ shared, folder, recorder, signal: watching.signal })
  await pause(WARM_MS)
  recordSizes(ground, 'before', recorder)
  const targets = { planes: shared.planes.length, runners: shared.runners.length }
  await strike(shared, scheduleFaults(seed, durationMs, targets, PAUSE_MS), durationMs, recorder)
  await untilLoaded(ground, recorder)
  stopping.abort()
  await loading
  await settle(ground, recorder)
  watching.abort()
  await Promise.all([watched, guarded])
  recordSizes(ground, 'after', recorder)
}

/** A slow machine needs longer until there was a load at all; where there never is one, that is told in the end. */
async function untilLoaded({ effects }: Ground, { seen }: Recorder): Promise<void> {
  const isLoaded = (): boolean =>
    seen.some((one) => one.kind === 'delivered' && one.status === 202) &&
    seen.some((one) => one.kind === 'intruded' && one.status === 401) &&
    seen.some(({ kind }) => kind === 'line') &&
    new Set(effects.read().map(({ runId }) => runId)).size >= LEAST_RUNS
  const beganAt = performance.now()
  while (!isLoaded() && performance.now() - beganAt < SETTLE_MS) await pause(500)
}

/** Decides what waits for people, and waits until all runs are over, or nothing has changed for long enough. */
async function settle({ shared }: Ground, recorder: Recorder): Promise<void> {
  const beganAt = performance.now()
  let changedAt = beganAt
  let last = ''
  while (performance.now() - beganAt < SETTLE_MS) {
    // A control plane that ended by itself is there again in a moment, and has been told of.
    const open = await approveAndLook(shared, recorder).catch(() => undefined)
    const now = performance.now()
    const shown = open?.map((run) => `${run.run_id} ${run.status}`).join() ?? last
    if (shown !== last) changedAt = now
    last = shown
    if (open?.length === 0 || (open && now - changedAt > QUIET_MS + BOUNDS.leaseMs)) {
      return recorder.record({ kind: 'quiet', settledMs: Math.round(now - beganAt) })
    }
    await pause(200)
  }
}

/** Answers the runs that are not over. */
async function approveAndLook({ planes }: SharedHouse, recorder: Recorder): Promise<readonly RunShown[]> {
  const api = planes[0]?.api
  const waiting = (await api?.get<{ run_id: string; step: string }[]>('/v1/approvals')) ?? []
  for (const { run_id: runId, step } of waiting) {
    const answer = await api?.ask('POST', `/v1/runs/${runId}/approvals/${step}`, { decision: 'approve' })
    recorder.record({ kind: 'asked', what: 'approve', runId, status: answer?.status })
  }
  return ((await api?.get<RunShown[]>('/v1/runs?limit=500')) ?? []).filter((run) => !isFinal(run))
}

function recordSizes({ shared }: Ground, when: Size['when'], recorder: Recorder): void {
  const processes = [
    ...shared.planes.map(({ name, house }) => ({ name, pid: house?.pid ?? 0 })),
    ...shared.runners.map(({ name, process }) => ({ name, pid: process?.pid ?? 0 })),
  ]
  for (const { name, pid } of processes) {
    const { files } = openFiles(pid)
    recorder.record({ kind: 'size', size: { process: name, when, residentMb: residentMb(pid), files } })
  }
}
