import { countMissed, type MissedSpan } from './missed-span.ts'
import type { CompiledTiming, Occurrence } from './timing.ts'
import { SECOND } from './wall.ts'

/** What becomes of fires that the scheduler could not make within the grace. */
export type MisfirePolicy = 'skip' | 'last' | 'all'

export interface DueInput {
  readonly compiled: CompiledTiming
  /** Everything planned from here on is not yet decided. */
  readonly nextFireAt: Date
  readonly now: Date
  readonly misfirePolicy: MisfirePolicy
  readonly misfireGraceSeconds: number
  /** How late a fire may be made up for under `last` and `all`. */
  readonly misfireWindowSeconds: number
}

export interface DueFire {
  readonly occurrence: Occurrence
  readonly outcome: 'due' | 'missed'
  /** Milliseconds between the planned instant and now. */
  readonly late: number
  /** A sentence, of missed ones. */
  readonly reason?: string
  /** How many fires the row stands for; 1 but for the one into which old missed fires are folded. */
  readonly count: number
  /** The last planned instant of such a folded row; null for others. */
  readonly until: Date | null
}

export interface DueDecision {
  /** In order by planned instant. */
  readonly fires: readonly DueFire[]
  /** The first occurrence that this round does not decide: the next round's `nextFireAt`. */
  readonly next: Occurrence | undefined
  /** `next` is due already. */
  readonly more: boolean
}

/** Fires that one round makes, and rows of missed fires that it writes. */
export const MAX_PER_ROUND = 100

/**
 * What a round makes of all that is planned from `nextFireAt` to `now`: each instant is decided once, by the round that
 * reaches it. Fires late by at most the grace are due. Older ones are missed, but for these:
 * - `last`: the newest one within the window is due, if none within the grace fires anyway.
 * - `all`: each one within the window is due.
 */
export function decideDue(input: DueInput): DueDecision {
  const { compiled, nextFireAt, now } = input
  if (nextFireAt > now) return { fires: [], next: compiled.next(before(nextFireAt)), more: false }
  const due = findDue(input)
  const missed = countMissed(compiled, { from: nextFireAt, before: due.from, except: due.made })
  const made = due.list.slice(0, MAX_PER_ROUND)
  const left = due.list[MAX_PER_ROUND]
  const next = left ?? compiled.next(now)
  return {
    fires: [...presentMissed(missed, input), ...made.map((occurrence) => fire(occurrence, now))],
    next,
    more: left !== undefined,
  }
}

interface Due {
  /** Occurrences that are due, one more than a round makes. */
  readonly list: readonly Occurrence[]
  /** What is planned before this instant is missed, */
  readonly from: Date
  /** but for this one. */
  readonly made: Occurrence | undefined
}

function findDue({ compiled, nextFireAt, now, ...input }: DueInput): Due {
  const graceful = later(nextFireAt, ago(now, input.misfireGraceSeconds))
  const window = later(nextFireAt, ago(now, Math.max(input.misfireWindowSeconds, input.misfireGraceSeconds)))
  const from = input.misfirePolicy === 'all' ? window : graceful
  const list = compiled.list(from, now, { limit: MAX_PER_ROUND + 1 })
  const made = input.misfirePolicy === 'last' && list.length === 0 ? compiled.latest(before(from), window) : undefined
  return { list: made ? [made] : list, from, made }
}

function presentMissed({ folded, newest }: MissedSpan, input: DueInput): readonly DueFire[] {
  const { now } = input
  const rows = newest.map((occurrence): DueFire => {
    const reason = `The scheduler came to it ${sayDuration(lateOf(occurrence, now))} late. ${sayPolicy(input)}`
    return { ...fire(occurrence, now), outcome: 'missed', reason }
  })
  if (!folded) return rows
  const { first, last, count, exact } = folded
  const number = `${exact ? '' : 'More than '}${count.toLocaleString('en-US')}`
  const reason = `${number} fires between ${first.local} and ${last.local} were missed while the scheduler did not run.`
  return [{ ...fire(first, now), outcome: 'missed', reason, count, until: last.planned }, ...rows]
}

function sayPolicy({ misfirePolicy, misfireGraceSeconds, misfireWindowSeconds }: DueInput): string {
  const grace = sayDuration(misfireGraceSeconds * SECOND)
  const window = sayDuration(misfireWindowSeconds * SECOND)
  switch (misfirePolicy) {
    case 'skip':
      return `The grace is ${grace}, and the misfire policy is skip.`
    case 'last':
      return `The grace is ${grace}, and the misfire policy last makes up for the newest fire alone, within ${window}.`
    case 'all':
      return `The misfire policy all makes up for the fires of ${window}.`
  }
}

function fire(occurrence: Occurrence, now: Date): DueFire {
  return { occurrence, outcome: 'due', late: lateOf(occurrence, now), count: 1, until: null }
}

function lateOf({ planned }: Occurrence, now: Date): number {
  return now.getTime() - planned.getTime()
}

function ago(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * SECOND)
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other
}

function before(date: Date): Date {
  return new Date(date.getTime() - 1)
}

/** The two greatest units: "1 h 12 min", "3 d 4 h", "40 s". */
function sayDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([size]) => size > 0)
  if (first === -1) return 'less than a second'
  return parts
    .slice(first, first + 2)
    .filter(([size]) => size > 0)
    .map(([size, unit]) => `${size} ${unit}`)
    .join(' ')
}
