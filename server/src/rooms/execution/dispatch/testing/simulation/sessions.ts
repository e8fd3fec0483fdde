import type { InboxItem } from '../../rules/inbox.ts'
import type { Result, Stream, ToPlane } from './network.ts'
import type { StoredAttempt } from './store.ts'

/** An attempt of one stream, as the process keeps it. */
export interface TrackedAssignment {
  readonly attempt: StoredAttempt
  readonly fence: number
  readonly done: boolean
  startedAt: Date | null
  storedLines: number
  finished: Extract<ToPlane, { type: 'finished' }> | undefined
  reported: boolean
}

export interface Session {
  readonly runnerId: string
  readonly capacity: number
  readonly stream: Stream
  readonly assignments: Map<number, TrackedAssignment>
}

export function track(attempt: StoredAttempt, fence: number): TrackedAssignment {
  return { attempt, fence, startedAt: null, storedLines: 0, finished: undefined, reported: false, done: false }
}

/** As the dispatcher's inbox has it. */
export function toAssignment({ attempt, fence }: TrackedAssignment) {
  const { id: attemptId, runId, step, task, number } = attempt
  return { fence, attemptId, runId, step, task, number }
}

export function reportOf({ runnerId }: Session, assignment: TrackedAssignment, result: Result): InboxItem {
  const exitCode = result === 'failure' ? 1 : null
  const notBegun = result === 'lost' && assignment.startedAt === null
  const finished = { result, exitCode, reason: '', outputs: {}, startedAt: assignment.startedAt, notBegun }
  return { kind: 'finished', runnerId, assignment: toAssignment(assignment), finished }
}

/** The attempts that each runner has in hand; a repeated result frees no second slot. */
export function placesOf(
  sessions: Iterable<Session>,
  items: readonly InboxItem[],
): readonly { readonly id: string; readonly capacity: number; readonly busy: number }[] {
  const ending = new Set(items.flatMap((item) => (item.kind === 'finished' ? [item.assignment.fence] : [])))
  return [...sessions].map(({ runnerId, capacity, assignments }) => {
    const busy = [...assignments.values()].filter(({ done, fence }) => !done && !ending.has(fence))
    return { id: runnerId, capacity, busy: busy.length }
  })
}
