import { isUnavailable } from '#platform/database'
import type { Loop } from '#platform/room'
import type { DecidedApproval } from '#rooms/execution/approvals'
import type { DueRow, EndedChildRow } from '#rooms/execution/runs'
import { findStranded } from '../actions/find-stranded.ts'
import type { Means } from '../means.ts'
import type { InboxItem } from '../rules/inbox.ts'

export interface Sweep extends Loop {
  /** Looks again at that time at the latest. */
  wakeAt(at: Date): void
  wake(): void
  /** Of this runner's leases none ends before it has had its full time anew. */
  unrenewed(runnerId: string): void
}

const EVERY_MS = 1000
const LIMIT = 500
/** Silence of ours for longer than this may have kept runners from renewing: nobody loses a lease for it. */
const TOLERATED_GAP_MS = 5000

/**
 * Finds changes that no runner reports. Of runs: cancels, deadlines, decisions of people, and runs that no runner took in
 * time. Of attempts: due retries, ended leases, ended child runs, and a runner that is gone although only it could serve. Of
 * groups: the next run may begin. After a silence of the control plane all leases get their full time anew.
 */
export function createSweep(means: Means, push: (...items: readonly InboxItem[]) => void): Sweep {
  let waker = new AbortController()
  const wake = (): void => waker.abort()
  /** Runners whose heartbeats were answered, though the database did not answer. */
  let unrenewed = new Set<string>()

  async function renew(now: Date, everybody: boolean): Promise<void> {
    const owed = unrenewed
    unrenewed = new Set()
    const until = new Date(now.getTime() + means.config.leaseSeconds * 1000)
    try {
      if (everybody) await means.runs.progress.renewAllLeases(means.database.kysely, until)
      else if (owed.size > 0) await means.runs.progress.renewLeasesOf(means.database.kysely, [...owed], until)
    } catch (error) {
      unrenewed = unrenewed.union(owed)
      throw error
    }
  }

  /** An error here stops neither leases from ending nor groups from going on. */
  async function tidyUp(): Promise<void> {
    try {
      await means.runs.progress.tidyUp()
    } catch (error) {
      if (isUnavailable(error)) throw error
      means.log.error({ err: error }, 'what nobody tells of runs could not be tidied up')
    }
  }

  /** `heardMs`: how long every runner could have been heard. */
  async function sweep(mayExpire: boolean, heardMs: number): Promise<void> {
    const now = means.clock.now()
    const db = means.database.kysely
    await renew(now, !mayExpire)
    const { progress } = means.runs
    const due = await progress.listDue(db, now, LIMIT)
    push(...due.map((row) => toItem(row, means.config.leaseSeconds)))
    push(...(await findStranded(means, heardMs)))
    push(...(await means.approvals.listDecided(db, LIMIT)).map(toDecision))
    push(...(await progress.listEndedChildren(db, LIMIT)).map(toChild))
    await tidyUp()
    await progress.releaseGroups()
  }

  return {
    name: 'dispatch.sweep',
    role: 'dispatcher',
    wake,
    unrenewed: (runnerId) => void unrenewed.add(runnerId),
    wakeAt: (at) => void means.clock.after(Math.max(0, at.getTime() - means.clock.now().getTime()), wake),
    async run(signal) {
      const stops = ['runs_cancel', 'runs_group_left', 'approval_decided', 'runs_child_over'].map((channel) =>
        means.database.notifications.listen(channel, wake),
      )
      let lastWall = Number.NEGATIVE_INFINITY
      let lastSteady = Number.NEGATIVE_INFINITY
      let heardSince = means.clock.monotonic()
      while (!signal.aborted) {
        waker = new AbortController()
        const wall = means.clock.now().getTime()
        const steady = means.clock.monotonic()
        // A jump of the wall clock, a stopped process and a database that was away look alike from here.
        const jumped = Math.abs(wall - lastWall - (steady - lastSteady)) > TOLERATED_GAP_MS
        const gap = steady - lastSteady > TOLERATED_GAP_MS
        try {
          if (gap || jumped) heardSince = steady
          await sweep(!gap && !jumped, steady - heardSince)
          lastWall = wall
          lastSteady = steady
        } catch (error) {
          if (isUnavailable(error)) means.log.debug({ err: error }, 'the sweep waits for the database')
          else means.log.error({ err: error }, 'the sweep failed')
        }
        await means.clock.sleep(EVERY_MS, AbortSignal.any([signal, waker.signal]))
      }
      for (const stop of stops) stop()
    },
  }
}

function toDecision({ id, runId, step, outcome, reason, outputs }: DecidedApproval): InboxItem {
  const event =
    outcome === 'timed_out'
      ? ({ type: 'approval_timed_out', step } as const)
      : ({ type: 'approval_decided', step, decision: outcome, reason, outputs } as const)
  return { kind: 'decided', runId, requestId: id, event }
}

function toChild(row: EndedChildRow): InboxItem {
  const { attempt_id: attemptId, run_id: runId, step, task, number, cancel_reason: asked } = row
  const assignment = { attemptId, runId, step, task, number }
  return {
    kind: 'child_over',
    assignment,
    child: {
      runId: row.child_run_id,
      status: row.status,
      reason: row.reason,
      asked: asked === null ? null : { late: row.late, reason: asked },
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
      const assignment = { attemptId: row.attempt_id ?? '', runId, step, task, number }
      const reason = `the runner was silent for ${leaseSeconds} s`
      return { kind: 'lost', runnerId: row.runner_id ?? '', assignment, reason, ifExpired: true }
    }
    default:
      return row.kind satisfies never
  }
}
