import { isUnavailable } from '#platform/database'
import type { Kit, Loop } from '#platform/room'
import type { DueRow, Runs } from '#rooms/execution/runs'
import type { InboxItem } from '../rules/inbox.ts'

export interface SweepNeeds {
  readonly runs: Pick<Runs, 'progress'>
  readonly push: (...items: readonly InboxItem[]) => void
}

export interface Sweep extends Loop {
  /** Looks again at that time at the latest. */
  wakeAt(at: Date): void
  wake(): void
}

const EVERY_MS = 1000
const LIMIT = 500
/** Silence of ours for longer than this may have kept runners from renewing: nobody loses a lease for it. */
const TOLERATED_GAP_MS = 5000

/**
 * Finds what no runner will tell: cancels, deadlines, retries whose time has come, leases that ended, and runs whose turn
 * it is in their group.
 */
export function createSweep(kit: Kit, needs: SweepNeeds): Sweep {
  let waker = new AbortController()
  const wake = (): void => waker.abort()

  async function sweep(mayExpire: boolean): Promise<void> {
    const now = kit.clock.now()
    const db = kit.database.kysely
    if (!mayExpire) {
      await needs.runs.progress.renewAllLeases(db, new Date(now.getTime() + kit.config.leaseSeconds * 1000))
    }
    const due = await needs.runs.progress.listDue(db, now, LIMIT)
    needs.push(...due.map((row) => toItem(row, kit.config.leaseSeconds)))
    await needs.runs.progress.releaseGroups(db)
  }

  return {
    name: 'dispatch.sweep',
    role: 'dispatcher',
    wake,
    wakeAt: (at) => void kit.clock.after(Math.max(0, at.getTime() - kit.clock.now().getTime()), wake),
    async run(signal) {
      const stops = ['runs_cancel', 'runs_group_left'].map((channel) =>
        kit.database.notifications.listen(channel, wake),
      )
      let lastWall = Number.NEGATIVE_INFINITY
      let lastSteady = Number.NEGATIVE_INFINITY
      while (!signal.aborted) {
        waker = new AbortController()
        const wall = kit.clock.now().getTime()
        const steady = kit.clock.monotonic()
        // A jump of the wall clock, a stopped process and a database that was away look alike from here.
        const jumped = Math.abs(wall - lastWall - (steady - lastSteady)) > TOLERATED_GAP_MS
        const gap = steady - lastSteady > TOLERATED_GAP_MS
        try {
          await sweep(!gap && !jumped)
          lastWall = wall
          lastSteady = steady
        } catch (error) {
          if (isUnavailable(error)) kit.log.debug({ err: error }, 'the sweep waits for the database')
          else kit.log.error({ err: error }, 'the sweep failed')
        }
        await kit.clock.sleep(EVERY_MS, AbortSignal.any([signal, waker.signal]))
      }
      for (const stop of stops) stop()
    },
  }
}

function toItem(row: DueRow, leaseSeconds: number): InboxItem {
  const runId = row.run_id
  switch (row.kind) {
    case 'cancel':
      return { kind: 'event', runId, event: { type: 'cancel_requested', reason: row.reason ?? 'canceled' } }
    case 'run_deadline':
      return { kind: 'event', runId, event: { type: 'run_timed_out' } }
    case 'step_deadline':
      return { kind: 'event', runId, event: { type: 'step_timed_out', step: row.step } }
    case 'retry': {
      const { step, task, number } = row
      return { kind: 'event', runId, event: { type: 'retry_due', step, task, attempt: number } }
    }
    case 'lease': {
      const { step, task, number } = row
      const held = { attemptId: row.attempt_id ?? '', runId, step, task, number }
      const reason = `the runner was silent for ${leaseSeconds} s`
      return { kind: 'lost', runnerId: row.runner_id ?? '', held, reason, ifExpired: true }
    }
    default:
      return row.kind satisfies never
  }
}
