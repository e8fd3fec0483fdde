import type { RunStatusQuery } from '@signalbox/contracts/runs'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import type { RunStatusRow } from '../store/run-columns.ts'
import { findVisibleStatus } from './find-visible-run.ts'

/** A notification may be lost; the table is not. */
const LOOK_MS = 2000
/** Requests that wait in one process. Each is a look at one row every 2 s. */
export const MOST_WAITING = 1000
const UNFINISHED = new Set(['queued', 'running', 'paused'])

export interface StatusWish extends RunStatusQuery {
  readonly id: string
  /** Ends the wait: the client went away, the server stops, or the right is gone. */
  readonly signal: AbortSignal
}

/**
 * Where the run stands, once it has another status than the one that is known, or a final one; at the latest when the wait
 * is over. Throws rate_limited (429) where too many wait: each caller gets a fair share.
 */
export async function waitForStatus(means: Means, caller: Caller, wish: StatusWish): Promise<RunStatusRow> {
  const { id, unless, signal, wait_seconds: seconds = 0 } = wish
  const tells = ({ status }: RunStatusRow): boolean =>
    !UNFINISHED.has(status) || (unless !== undefined && status !== unless)
  const first = await findVisibleStatus(means, caller, id)
  if (seconds === 0 || tells(first)) return first

  const holder = `${caller.kind} ${caller.id}`
  if (!means.statusWaits.take(holder, 1)) {
    const headers = { 'retry-after': '5' }
    throw platformProblem('rate_limited', 'Too many requests wait for runs: ask again without waiting.', { headers })
  }
  const until = means.clock.monotonic() + seconds * 1000
  let waker = new AbortController()
  const stop = means.database.notifications.listen('run_changed', (payload) => {
    if (payload === undefined || payload === id) waker.abort()
  })
  try {
    for (;;) {
      // Before looking: a change while we look wakes us again.
      waker = new AbortController()
      const run = await findVisibleStatus(means, caller, id)
      const left = until - means.clock.monotonic()
      if (signal.aborted || left <= 0 || tells(run)) return run
      await means.clock.sleep(Math.min(LOOK_MS, left), AbortSignal.any([signal, waker.signal]))
    }
  } finally {
    stop()
    means.statusWaits.giveBack(holder, 1)
  }
}
