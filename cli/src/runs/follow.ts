import { setTimeout as wait } from 'node:timers/promises'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import type { RunDetail } from '@signalbox/contracts/runs'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import type { Client } from '../client/client.ts'
import type { StreamedEvent } from '../client/events.ts'
import { ApiProblem, Unreachable } from '../client/problem.ts'
import { isLogEntry } from './log-entry.ts'
import { Narrator, type Remark } from './narrator.ts'
import { isFinished } from './statuses.ts'

/** The state is asked for at least so often, whatever the stream of events says or misses. */
const LOOK_EVERY_MS = 1000
const AWAY_AT_MOST_MS = 60_000

export interface FollowOptions {
  readonly signal?: AbortSignal
  /** Whether its lines are told; where they are not, none is fetched. Default: true. */
  readonly lines?: boolean
}

/**
 * Follows a run to its end and tells its changes as they happen. Rides out a restart of the control plane. Answers the
 * finished run; throws ApiProblem where the run may not be seen, and the signal's reason when it aborts.
 */
export async function followRun(
  client: Client,
  runId: string,
  tell: (remark: Remark) => void,
  { signal, lines = true }: FollowOptions = {},
): Promise<RunDetail> {
  const params = { id: runId }
  const narrator = new Narrator()
  const ended = new AbortController()
  const signals = signal ? AbortSignal.any([ended.signal, signal]) : ended.signal
  let poke: () => void = () => undefined
  const states = client.events(runRoutes.followRun, { params }, { signal: signals, endsWith: 'end' })
  const streams = [consume(states, signals, () => poke())]
  const hear = (data: unknown): void => {
    // The stream also tells that it has ended.
    if (isLogEntry(data)) for (const remark of narrator.hear(data)) tell(remark)
  }
  if (lines) {
    const entries = client.events(logRoutes.followLogs, { params }, { signal: signals, endsWith: 'eof' })
    streams.push(consume(entries, signals, hear))
  }
  try {
    for (;;) {
      signal?.throwIfAborted()
      const poked = new Promise<void>((resolve) => {
        poke = resolve
      })
      const run = await patiently(() => client.call(runRoutes.getRun, { params }), signals)
      for (const { step, task, attempt, from } of lines ? narrator.missing(run) : []) {
        const query = { step, task, attempt, from }
        const ask = () => client.list(logRoutes.listLogLines, { params, query, limit: 1_000_000 })
        for (const entry of await patiently(ask, signals)) {
          for (const remark of narrator.hear(entry)) tell(remark)
        }
      }
      for (const remark of narrator.see(run)) tell(remark)
      if (isFinished(run.status)) return run
      await Promise.race([poked, pause(signals)])
    }
  } finally {
    ended.abort()
    await Promise.all(streams)
  }
}

/** Reads a stream until the run is over. A stream that cannot be had is no reason to stop: asking goes on without it. */
async function consume(
  events: AsyncIterable<StreamedEvent>,
  signal: AbortSignal,
  hear: (data: unknown) => void,
): Promise<void> {
  try {
    for await (const { data } of events) hear(data)
  } catch (error) {
    if (!(error instanceof ApiProblem) && !signal.aborted && !(error instanceof Error)) throw error
  }
}

/** Asks again while the control plane is away, as it is during a restart; for a minute at most. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const since = performance.now()
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const away = error instanceof Unreachable || (error instanceof ApiProblem && error.status >= 500)
      if (!away || signal.aborted || performance.now() - since > AWAY_AT_MOST_MS) throw error
    }
    await pause(signal)
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
}
