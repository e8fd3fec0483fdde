import { LRUCache } from 'lru-cache'
import type { Queryable } from '#platform/database'
import type { Clock } from '#platform/time'
import {
  type BrokenRow,
  countEnded,
  type Ended,
  listBroken,
  listFailed,
  listTeamsWithEnds,
  type Span,
} from '../store/ended-runs.ts'

const HOUR_MS = 3_600_000
/** A run may say that it ended some time before its end is stored: an hour is complete this long after it is over. */
const LATE_MS = HOUR_MS
/** Should the clock of a control plane be wrong by more, the answer is wrong for so long. */
const REMEMBERED_MS = 10 * 60_000
/** A day of four thousand teams. */
const MOST_HOURS = 100_000
/** Pipelines that failed, of all teams together. */
const MOST_FAILED = 100_000

export interface EndedWish {
  /** Runs that ended at this instant or later are counted. */
  readonly countedSince: Date
  readonly brokenSince: Date
  readonly mostBroken: number
}

export interface EndedRuns {
  /** By final status. */
  readonly counts: ReadonlyMap<string, number>
  readonly broken: readonly BrokenRow[]
}

/**
 * Reads which runs ended at and below some team paths, and what broke there. A finished run never changes, so the hours of a
 * team that are over are read once and remembered; the rest is read each time.
 */
export function createEndedReader(clock: Clock) {
  const hours = rememberSpans<Ended>(clock, MOST_HOURS, () => 1)
  const failures = rememberSpans<readonly string[]>(clock, MOST_FAILED, (failed) => 1 + failed.length)

  return async (db: Queryable, prefixes: readonly string[], wish: EndedWish): Promise<EndedRuns> => {
    const complete = clock.now().getTime() - LATE_MS
    const teams = await listTeamsWithEnds(db, prefixes)
    const spans = teams.map((teamPath) => cutHours(teamPath, wish.countedSince, complete))
    const rest = await countEnded(
      db,
      spans.flatMap((each) => each.rest),
    )
    const over = await hours(
      spans.flatMap((each) => each.hours),
      (missing) => countEnded(db, missing),
    )
    const failed = await failures(
      spans.map(({ teamPath, open }) => ({ teamPath, from: wish.brokenSince, to: open })),
      (missing) => listFailed(db, missing),
    )
    const suspects = new Set([...rest.flatMap((each) => each.failed), ...failed.flat()])
    return {
      counts: sumOf([...over, ...rest]),
      broken: await listBroken(db, [...suspects], { prefixes, since: wish.brokenSince, limit: wish.mostBroken }),
    }
  }
}

type SpanReader<T> = (missing: readonly Span[]) => Promise<readonly T[]>

/** Answers what each span holds, in their order; `read` is asked for those that were not read lately. */
function rememberSpans<T extends object>(clock: Clock, maxSize: number, sizeOf: (value: T) => number) {
  const known = new LRUCache<string, { readonly value: T; readonly at: number }>({
    maxSize,
    sizeCalculation: ({ value }) => sizeOf(value),
  })
  return async (spans: readonly Span[], read: SpanReader<T>): Promise<readonly T[]> => {
    const now = clock.monotonic()
    const found = spans.map((span): T | undefined => {
      const kept = known.get(keyOf(span))
      return kept && now - kept.at < REMEMBERED_MS ? kept.value : undefined
    })
    const missing = spans.filter((_, place) => found[place] === undefined)
    if (missing.length === 0) return found.filter((value) => value !== undefined)
    const values = await read(missing)
    for (const [place, span] of missing.entries()) {
      const value = values[place]
      if (value !== undefined) known.set(keyOf(span), { value, at: now })
    }
    return [...found.filter((value) => value !== undefined), ...values]
  }
}

function keyOf({ teamPath, from, to }: Span): string {
  return `${from.getTime()} ${to.getTime()} ${teamPath}`
}

/** The time from `since` on: the hours that ended before `complete`, and what lies around them. */
function cutHours(teamPath: string, since: Date, complete: number) {
  const first = Math.ceil(since.getTime() / HOUR_MS)
  const last = Math.max(first, Math.floor(complete / HOUR_MS))
  const spanOf = (from: number, to: number): Span => ({ teamPath, from: new Date(from), to: new Date(to) })
  const hours = Array.from({ length: last - first }, (_, at) =>
    spanOf((first + at) * HOUR_MS, (first + at + 1) * HOUR_MS),
  )
  const rest = [spanOf(since.getTime(), first * HOUR_MS), spanOf(last * HOUR_MS, FOREVER)]
  return { teamPath, hours, rest, open: new Date(last * HOUR_MS) }
}

const FOREVER = Date.UTC(9999, 0)

function sumOf(all: readonly Ended[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>()
  for (const { counts } of all) {
    for (const [status, count] of counts) sum.set(status, (sum.get(status) ?? 0) + count)
  }
  return sum
}
