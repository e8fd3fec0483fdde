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

/** A run may say that it ended some time before its end is stored: what is older than this is complete. */
const LATE_MS = 60 * 60_000
/** Should the clock of a control plane be wrong by more, the answer is wrong for so long. */
const REMEMBERED_MS = 10 * 60_000
/** Teams, and the pipelines that failed in them. */
const MOST_REMEMBERED = 100_000

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
 * Reads which runs ended at and below some team paths, and what broke there. A finished run never changes, so what ended over
 * an hour ago is read once and remembered; the rest is read each time.
 */
export function createEndedReader(clock: Clock) {
  const complete = rememberSpans<Ended>(clock, ({ failed }) => 1 + failed.length)
  const failures = rememberSpans<readonly string[]>(clock, (failed) => 1 + failed.length)

  return async (db: Queryable, prefixes: readonly string[], wish: EndedWish): Promise<EndedRuns> => {
    const times = cutTime(wish.countedSince, clock.now().getTime() - LATE_MS)
    const teams = await listTeamsWithEnds(db, prefixes)
    const spansOf = ([from, to]: Time): Span[] => teams.map((teamPath) => ({ teamPath, from, to }))
    const rest = await countEnded(db, times.rest.flatMap(spansOf))
    const old = await complete(spansOf(times.complete), (missing) => countEnded(db, missing))
    const failed = await failures(spansOf([wish.brokenSince, times.complete[1]]), (missing) => listFailed(db, missing))
    const suspects = new Set([...rest.flatMap((each) => each.failed), ...failed.flat()])
    return {
      counts: sumOf([...old, ...rest]),
      broken: await listBroken(db, [...suspects], { prefixes, since: wish.brokenSince, limit: wish.mostBroken }),
    }
  }
}

/** From the first instant, without the second. */
type Time = readonly [from: Date, to: Date]

/** The time from `since` on: what is complete, in whole periods so that it stays the same for one, and what lies around it. */
function cutTime(since: Date, completeMs: number): { readonly complete: Time; readonly rest: readonly Time[] } {
  const first = Math.ceil(since.getTime() / REMEMBERED_MS) * REMEMBERED_MS
  const from = new Date(first)
  const to = new Date(Math.max(first, Math.floor(completeMs / REMEMBERED_MS) * REMEMBERED_MS))
  return {
    complete: [from, to],
    rest: [
      [since, from],
      [to, FOREVER],
    ],
  }
}

const FOREVER = new Date(Date.UTC(9999, 0))

type SpanReader<T> = (missing: readonly Span[]) => Promise<readonly T[]>

/** Answers what each span holds, in their order; `read` is asked for those that were not read lately. */
function rememberSpans<T extends object>(clock: Clock, sizeOf: (value: T) => number) {
  const known = new LRUCache<string, { readonly value: T; readonly at: number }>({
    maxSize: MOST_REMEMBERED,
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

function sumOf(all: readonly Ended[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>()
  for (const { counts } of all) {
    for (const [status, count] of counts) sum.set(status, (sum.get(status) ?? 0) + count)
  }
  return sum
}
