import type { InboxItem } from '../../rules/inbox.ts'
import type { ToPlane } from './network.ts'
import type { Session } from './sessions.ts'
import type { Store } from './store.ts'

/** A planted fault: a result counts for any attempt of its task that is in hand now. */
export function believe(
  store: Store,
  { runnerId }: Session,
  { fence: stale, result }: Extract<ToPlane, { type: 'finished' }>,
): readonly InboxItem[] {
  const attempts = [...store.attempts.values()]
  const theirs = attempts.find(({ fence }) => fence === stale)
  const current = attempts.find(({ runId, step, task, status }) => {
    return status === 'leased' && runId === theirs?.runId && step === theirs.step && task === theirs.task
  })
  if (current === undefined) return []
  const { id: attemptId, runId, step, task, number, fence } = current
  const assignment = { attemptId, runId, step, task, number, fence: fence ?? 0 }
  const finished = { result, exitCode: null, reason: '', outputs: {}, startedAt: null }
  return [{ kind: 'finished', runnerId, assignment, finished }]
}
