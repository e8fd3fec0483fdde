import type { RunEvent } from '@signalbox/pipeline/status'
import type { AttemptReport } from '#rooms/execution/runs'
import type { EndedChild, InboxItem } from './inbox.ts'

export interface ReadBy {
  /** Attempts whose leases are over. */
  readonly expired: ReadonlySet<string>
  /** Attempts that no runner has. */
  readonly waiting: ReadonlySet<string>
  /** Final outputs of children that have ended, by run. */
  readonly children: ReadonlyMap<string, Readonly<Record<string, string>>>
  readonly at: Date
}

/** Notes what becomes of the attempt, and answers what the engine should hear. */
export function readItem(
  item: InboxItem,
  { expired, waiting, children, at }: ReadBy,
  reports: Map<string, AttemptReport>,
): RunEvent | undefined {
  switch (item.kind) {
    case 'event':
    case 'decided':
      return item.event
    case 'started': {
      const { attemptId, step, task, number } = item.assignment
      const report = {
        id: attemptId,
        status: null,
        exit_code: null,
        reason: null,
        started_at: item.at,
        finished_at: null,
        ...(item.images.length === 0 ? {} : { images: item.images }),
      }
      if (!reports.has(attemptId)) reports.set(attemptId, report)
      return { type: 'task_started', step, task, attempt: number }
    }
    case 'finished': {
      const { assignment, finished } = item
      const { result, exitCode, reason, outputs, sensitive, notBegun } = finished
      const begun = reports.get(assignment.attemptId)
      reports.set(assignment.attemptId, {
        id: assignment.attemptId,
        status: result,
        exit_code: exitCode,
        reason: reason === '' ? null : reason,
        started_at: finished.startedAt ?? begun?.started_at ?? null,
        finished_at: at,
        images: begun?.images,
        end_reported: true,
      })
      const { step, task, number } = assignment
      return {
        type: 'task_finished',
        step,
        task,
        attempt: number,
        result,
        reason,
        exitCode: exitCode ?? undefined,
        outputs,
        sensitive,
        runnerLives: true,
        notBegun,
      }
    }
    case 'lost': {
      const { attemptId, step, task, number } = item.assignment
      if (item.ifExpired && !expired.has(attemptId)) return undefined
      const { reason } = item
      const ended = { status: 'lost', exit_code: null, reason, started_at: null, finished_at: at } as const
      reports.set(attemptId, { id: attemptId, ...ended })
      return { type: 'task_finished', step, task, attempt: number, result: 'lost', reason }
    }
    case 'stranded': {
      const { attemptId, step, task, number } = item.assignment
      if (!waiting.has(attemptId)) return undefined
      const { reason } = item
      const ended = { status: 'failure', exit_code: null, reason, started_at: null, finished_at: at } as const
      reports.set(attemptId, { id: attemptId, ...ended })
      return { type: 'task_finished', step, task, attempt: number, result: 'failure', reason }
    }
    case 'child_over': {
      const { attemptId, step, task, number } = item.assignment
      const { result, reason } = endOf(item.child)
      const ended = { exit_code: null, reason: reason === '' ? null : reason, started_at: null, finished_at: at }
      reports.set(attemptId, { id: attemptId, status: result, ...ended })
      const outputs = children.get(item.child.runId) ?? {}
      return { type: 'task_finished', step, task, attempt: number, result, reason, outputs }
    }
    default:
      return item satisfies never
  }
}

/** The result of a task, by the end of its child run. */
function endOf({ runId, status, reason, asked }: EndedChild): {
  readonly result: 'success' | 'failure' | 'timed_out' | 'canceled'
  readonly reason: string
} {
  if (status === 'success' || status === 'warning') return { result: 'success', reason: '' }
  if (asked) return { result: asked.late ? 'timed_out' : 'canceled', reason: asked.reason }
  return { result: 'failure', reason: `run ${runId} ended as ${status}${reason === null ? '' : `: ${reason}`}` }
}
