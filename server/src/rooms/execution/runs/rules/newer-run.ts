/** The facts that tell which of two runs is of the newer commit. */
export interface CommitOfRun {
  readonly commitSha: string | null
  /** Commits known to lie before it. */
  readonly ancestors: readonly string[]
  /** Of its event, in microseconds since 1970: some providers tell more than milliseconds. Null: it is not known. */
  readonly occurredAt: number | null
  /** Likewise. */
  readonly queuedAt: number
  readonly eventId: string | null
  readonly cause: string
}

/** Whether somebody wants this run now, as opposed to an event or the task of another run. */
export function isAskedFor({ eventId, cause }: CommitOfRun): boolean {
  return eventId === null && ['request', 'rerun', 'schedule', 'external'].includes(cause)
}

/**
 * Whether `run` is of a newer commit than `other`; undefined where neither the commits nor the times tell. Known ancestors
 * outweigh the clock. The time of a requested run is the time at which it was queued.
 */
export function isNewer(run: CommitOfRun, other: CommitOfRun): boolean | undefined {
  const follows = isBefore(other, run)
  const precedes = isBefore(run, other)
  if (follows !== precedes) return follows
  if (run.occurredAt === null) return undefined
  const otherAt = other.occurredAt ?? (isAskedFor(other) ? other.queuedAt : null)
  if (otherAt !== null && run.occurredAt > otherAt) return true
  if (other.occurredAt !== null && run.occurredAt < other.occurredAt) return false
  return undefined
}

function isBefore(run: CommitOfRun, other: CommitOfRun): boolean {
  return run.commitSha !== null && other.ancestors.includes(run.commitSha)
}
