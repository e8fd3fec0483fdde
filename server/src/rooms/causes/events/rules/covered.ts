/** An event that this service made itself, because no delivery told of the change. */
export interface MadeChange {
  readonly id: string
  readonly before: string | null
  readonly head: string
  /** Of a pull request: when the provider said that it changed last. */
  readonly headAt: Date | null
}

/** What came about the ref after the event was made, oldest first; null is no commit. */
export interface LaterChange {
  readonly before: string | null
  readonly after: string | null
}

/**
 * Whether a push tells of a part of what the made event tells. Such a push was on its way, or was sent again: its commit is
 * older than the head, or the head itself. A push is a change of its own where the ref had come to its `before` since then.
 */
export function isPushCovered(told: LaterChange, made: MadeChange, later: readonly LaterChange[]): boolean {
  const reached = new Set<string | null>([made.head])
  const passed = new Set<string | null>([made.before])
  for (const change of later) {
    if (reached.has(change.before)) reached.add(change.after)
    else if (isPart(change, made, passed)) passed.add(change.after)
  }
  return !reached.has(told.before) && isPart(told, made, passed)
}

function isPart(told: LaterChange, made: MadeChange, passed: ReadonlySet<string | null>): boolean {
  return told.after === made.head || passed.has(told.before)
}

export interface ToldPull {
  /** The whole name, or its beginning. */
  readonly head: string | undefined
  readonly occurredAt: Date | null
}

/**
 * Whether an event of a pull request is of a time before the look that saw the head. Where the provider names no times,
 * the same head is the same change, until another head was told.
 */
export function isPullCovered(told: ToldPull, made: MadeChange, later: readonly LaterChange[]): boolean {
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
