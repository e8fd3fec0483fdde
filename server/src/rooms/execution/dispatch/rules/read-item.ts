import type { RunEvent } from '@signalbox/pipeline/status'
import type { AttemptReport } from '#rooms/execution/runs'
import type { InboxItem } from './inbox.ts'

/** Notes what becomes of the attempt, and answers what the engine should hear. `expired`: leases that are over. */
export function readItem(
  item: InboxItem,
  expired: ReadonlySet<string>,
  at: Date,
  reports: Map<string, AttemptReport>,
): RunEvent | undefined {
  switch (item.kind) {
    case 'event':
      return item.event
    case 'started': {
      const { attemptId, step, task, number } = item.held
      const report = {
        id: attemptId,
        status: null,
        exit_code: null,
        reason: null,
        started_at: item.at,
        finished_at: null,
      }
      if (!reports.has(attemptId)) reports.set(attemptId, report)
      return { type: 'task_started', step, task, attempt: number }
    }
    case 'finished': {
      const { held, finished } = item
      const { result, exitCode, reason, outputs } = finished
      reports.set(held.attemptId, {
        id: held.attemptId,
        status: result,
        exit_code: exitCode,
        reason: reason === '' ? null : reason,
        started_at: finished.startedAt ?? reports.get(held.attemptId)?.started_at ?? null,
        finished_at: at,
      })
      const { step, task, number } = held
      return {
        type: 'task_finished',
        step,
        task,
        attempt: number,
        result,
        reason,
        exitCode: exitCode ?? undefined,
        outputs,
      }
    }
    case 'lost': {
      const { attemptId, step, task, number } = item.held
      if (item.ifExpired && !expired.has(attemptId)) return undefined
      const { reason } = item
      const ended = { status: 'lost', exit_code: null, reason, started_at: null, finished_at: at } as const
      reports.set(attemptId, { id: attemptId, ...ended })
      return { type: 'task_finished', step, task, attempt: number, result: 'lost', reason }
    }
    default:
      return item satisfies never
  }
}
