/** A push that was told, oldest first; null is no commit, or one that is not known. */
export interface ToldPush {
  readonly before: string | null
  readonly after: string | null
  /** It came before the look that noted the head. */
  readonly isEarlier: boolean
  /** It came while the provider was asked, or later: what the look saw may be older. */
  readonly isSinceLook: boolean
}

export interface RefFacts {
  /** Where the last look saw the ref; null: it saw none. */
  readonly noted: string | null
  /** Where it is now. */
  readonly head: string
  readonly told: readonly ToldPush[]
}

export interface RefVerdict {
  readonly isTold: boolean
  /** Where the ref was last, as far as looks and pushes tell; null: there was none. */
  readonly position: string | null
}

/**
 * Whether somebody told that the ref came to its head. Pushes come out of order, so that the last one does not decide
 * alone: of those since the note, more lead to the head than away from it. A push from before the note may be one that the
 * provider did not show yet.
 */
export function judgeRef({ noted, head, told }: RefFacts): RefVerdict {
  const later = told.filter(({ isEarlier }) => !isEarlier)
  const lastEarlier = told.findLast(({ isEarlier }) => isEarlier)
  const wasThere = head === noted || head === lastEarlier?.after
  const last = later.at(-1)
  if (!last) return { isTold: wasThere, position: noted }
  if (later.some(({ before, isSinceLook }) => isSinceLook && before === head)) {
    return { isTold: true, position: last.after }
  }
  const came = later.filter(({ after }) => after === head).length
  const left = later.filter(({ before }) => before === head).length
  return { isTold: last.after === head || came - left + (wasThere ? 1 : 0) > 0, position: last.after }
}

export interface PullFacts {
  /** Undefined: the last look did not see it open. */
  readonly noted: string | undefined
  /** As an event told it last; undefined: none did. */
  readonly told: string | undefined
  readonly head: string
}

/** What happened to the pull request that nobody told of; undefined: nothing did. */
export function judgePull({ noted, told, head }: PullFacts): 'opened' | 'synchronized' | undefined {
  if ([noted, told].some((known) => known !== undefined && isSameHead(known, head))) return undefined
  return noted === undefined && told === undefined ? 'opened' : 'synchronized'
}

/** Some providers name only the beginning of a commit. */
export function isSameHead(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

/** A busy ref may have another head at each look. What tells late of a made event starts nothing, so that it may be made. */
const PATIENCE_GRACES = 5

/** Whether a delivery can no longer be on its way. */
export function isDue(
  suspected: { readonly suspectedAt: Date; readonly since: Date },
  now: Date,
  graceMs: number,
): boolean {
  const age = (at: Date) => now.getTime() - at.getTime()
  return age(suspected.suspectedAt) >= graceMs || age(suspected.since) >= PATIENCE_GRACES * graceMs
}

const HOUR_MS = 3_600_000

/** For how long a repository that told of nothing is left alone after a look. */
export function restOf(quietMs: number): number {
  if (quietMs < 24 * HOUR_MS) return 0
  return quietMs < 7 * 24 * HOUR_MS ? HOUR_MS / 2 : 2 * HOUR_MS
}

/** Before a head that the newest look did not see. */
const ABSENT = '-'

/** The head that a note stands for. */
export function notedHead(note: string): string {
  return note.startsWith(ABSENT) ? note.slice(ABSENT.length) : note
}

/** Of those that one look did not see already: what the next does not see either, by name. */
export function listGone(
  notes: Readonly<Record<string, string>>,
  seen: ReadonlyMap<string, unknown>,
): readonly string[] {
  return Object.keys(notes).filter((name) => !seen.has(name) && notes[name]?.startsWith(ABSENT) === true)
}

/**
 * The notes of what the look did not see. A page that moves while it is read may leave one out: it is gone when two looks
 * in a row did not see it.
 */
export function noteAbsent(
  notes: Readonly<Record<string, string>>,
  seen: ReadonlyMap<string, unknown>,
): Record<string, string> {
  const kept = Object.entries(notes).filter(([name, note]) => !seen.has(name) && !note.startsWith(ABSENT))
  return Object.fromEntries(kept.map(([name, note]) => [name, `${ABSENT}${note}`]))
}
