/** An event that this service made itself, because no delivery told of the change. */
export interface MadeChange {
  readonly id: string
  readonly before: string | null
  readonly head: string
  /** Of a pull request: when the provider said that it changed last. */
  readonly headAt: Date | null
  /** The branch or pull request was seen to be gone: what comes from then on is of another. Null: it was not. */
  readonly endedAt: Date | null
}

/** What came about the ref after the event was made, oldest first; null is no commit. */
export interface LaterChange {
  readonly kind: string
  readonly before: string | null
  readonly after: string | null
  readonly at: Date
}

/**
 * Whether a push tells of a part of what the made event tells. Such a push was on its way, or was sent again: its commit is
 * older than the head, or the head itself. A push is a change of its own where the ref had come to its `before` since then.
 */
export function isPushCovered(told: LaterChange, made: MadeChange, later: readonly LaterChange[]): boolean {
  const isCovered = followPushes(made)
  for (const change of later) isCovered(change)
  return isCovered(told)
}

/** Answers of each push about the ref, in their order, what `isPushCovered` says. */
export function followPushes(made: MadeChange): (told: LaterChange) => boolean {
  const reached = new Set<string | null>([made.head])
  const passed = new Set<string | null>([made.before])
  return (told) => {
    // Some providers do not say where a branch was that is gone: then no creation is an old one.
    const isGone = told.kind === 'branch_deleted' && told.before === null
    if (isGone || reached.has(told.before)) {
      reached.add(told.after)
      return false
    }
    // From where nobody saw the branch since: a deletion sent again, or one behind pushes that are lost. In doubt a
    // creation starts its run, unless it is the made head, which has one.
    if (told.kind === 'branch_deleted' && !passed.has(told.before)) {
      passed.delete(null)
      return false
    }
    if (!isPart(told, made, passed)) return false
    passed.add(told.after)
    return made.endedAt === null || told.at < made.endedAt
  }
}

function isPart(told: LaterChange, made: MadeChange, passed: ReadonlySet<string | null>): boolean {
  return told.after === made.head || passed.has(told.before)
}

export interface ToldPull {
  /** The whole name, or its beginning. */
  readonly head: string | undefined
  readonly occurredAt: Date | null
  readonly at: Date
}

/**
 * Whether an event of a pull request is of a time before the look that saw the head. Where the provider names no times,
 * the same head is the same change, until another head was told.
 */
export function isPullCovered(told: ToldPull, made: MadeChange, later: readonly LaterChange[]): boolean {
  if (made.endedAt !== null && told.at >= made.endedAt) return false
  if (told.occurredAt !== null && made.headAt !== null) return told.occurredAt <= made.headAt
  return told.head !== undefined && isSame(told.head, made.head) && later.every(({ after }) => isHeadOf(after, made))
}

function isHeadOf(after: string | null, { head }: MadeChange): boolean {
  return after === null || isSame(after, head)
}

/** One of the names may be the beginning of the other. */
function isSame(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}
