import { fateOf } from '../../rules/greeting.ts'
import type { InboxItem } from '../../rules/inbox.ts'
import type { Session } from './sessions.ts'
import type { NewAssignment, Store, StoredAttempt } from './store.ts'

export interface Hello {
  /** In the runner's hand, as it says. */
  readonly fences: readonly number[]
  /** Of the runner, as the tables have them. */
  readonly rows: readonly StoredAttempt[]
  readonly renewed: ReadonlySet<number | null>
}

/** Puts into the session what goes on in it; answers what is to be given again, and what is lost. */
export function sortAssignments(
  store: Store,
  session: Session,
  { fences, rows, renewed }: Hello,
): { readonly again: readonly NewAssignment[]; readonly gone: readonly InboxItem[] } {
  const again: NewAssignment[] = []
  const gone: InboxItem[] = []
  const { runnerId } = session
  for (const attempt of rows) {
    const { id: attemptId, fence, runId, step, task, number, status } = attempt
    if (fence === null) continue
    const storedLines = store.lines.get(attemptId)?.length ?? 0
    const startedAt = attempt.startedAt === null ? null : new Date(attempt.startedAt)
    const hasBegun = startedAt !== null || (store.rules.storedLinesMeanBegun && storedLines > 0)
    const fate = fateOf({ status, isLeased: renewed.has(fence), inHand: fences.includes(fence), hasBegun })
    if (fate === 'goes_on' || fate === 'done') {
      const done = fate === 'done'
      session.assignments.set(fence, {
        attempt,
        fence,
        startedAt,
        storedLines,
        finished: undefined,
        reported: false,
        done,
      })
    } else if (fate === 'again') again.push({ attempt, fence, runnerId })
    else if (fate === 'lost') {
      const assignment = { attemptId, runId, step, task, number }
      gone.push({ kind: 'lost', runnerId, assignment, reason: 'restarted', ifExpired: false })
    }
  }
  return { again, gone }
}
