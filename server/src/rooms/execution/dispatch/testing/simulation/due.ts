import { isTerminalRun, type RunEvent } from '@signalbox/pipeline/status'
import type { InboxItem } from '../../rules/inbox.ts'
import type { Store, StoredRun } from './store.ts'

/** The items that `store/due.ts` of runs finds: everything that time or people caused, and that no runner reports. */
export function listDue(store: Store, now: number): InboxItem[] {
  const items: InboxItem[] = []
  for (const run of store.runs.values()) {
    for (const event of eventsOf(store, run, now)) items.push({ kind: 'event', runId: run.id, event })
  }
  for (const attempt of store.attempts.values()) {
    if (attempt.status !== 'leased' || (store.rules.leaseIsAwaited && attempt.leaseExpiresAt > now)) continue
    const { id: attemptId, runId, step, task, number } = attempt
    const assignment = { attemptId, runId, step, task, number }
    items.push({ kind: 'lost', runnerId: attempt.runnerId ?? '', assignment, reason: 'silent', ifExpired: true })
  }
  return items
}

function eventsOf(store: Store, run: StoredRun, now: number): RunEvent[] {
  const { state } = run
  if (state === undefined || isTerminalRun(state.status)) return []
  const events: RunEvent[] = []
  if (run.cancelRequested && state.ending === null) events.push({ type: 'cancel_requested', reason: 'canceled' })
  if (run.deadlineAt !== null && run.deadlineAt <= now && state.ending === null) events.push({ type: 'run_timed_out' })
  for (const { at, kind, key } of run.due.values()) {
    if (at > now) continue
    const { step, task, number: attempt } = key
    if (kind === 'retry') events.push({ type: 'retry_due', step, task, attempt })
    else events.push({ type: 'step_timed_out', step })
  }
  for (const { name: step, status } of state.steps) {
    const decision = store.approvals.get(`${run.id}/${step}`)
    if (status !== 'paused' || decision === undefined || decision === null) continue
    if (decision === 'late') events.push({ type: 'approval_timed_out', step })
    else events.push({ type: 'approval_decided', step, decision, reason: '', outputs: {} })
  }
  return events
}
