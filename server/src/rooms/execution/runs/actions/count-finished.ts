import { LRUCache } from 'lru-cache'
import type { Kit } from '#platform/room'
import { countEnded, listTeamsWithEnds, type Span } from '../store/count-finished.ts'

const HOUR_MS = 3_600_000
/** A run may say that it ended some time before its end is stored: an hour is complete this long after it is over. */
const LATE_MS = HOUR_MS
/** Should the clock of a control plane be wrong by more, the count is wrong for so long. */
const REMEMBERED_MS = 10 * 60_000
/** A day of four thousand teams. */
const MOST_HOURS = 100_000

type Counts = ReadonlyMap<string, number>

/**
 * Counts the runs that ended at an instant or later, by final status, at and below some team paths. A finished run never
 * changes, so the hours of a team that are over are counted once and remembered; the rest is counted each time.
 */
export function createFinishedCounter({ database: { kysely: db }, clock }: Pick<Kit, 'database' | 'clock'>) {
  const known = new LRUCache<string, { readonly counts: Counts; readonly at: number }>({ max: MOST_HOURS })

  function recall(span: Span): Counts | undefined {
    const found = known.get(keyOf(span))
    return found && clock.monotonic() - found.at < REMEMBERED_MS ? found.counts : undefined
  }

  return async (prefixes: readonly string[], since: Date): Promise<Counts> => {
    const complete = clock.now().getTime() - LATE_MS
    const spans = (await listTeamsWithEnds(db, prefixes)).map((teamPath) => cutHours(teamPath, since, complete))
    const hours = spans.flatMap((each) => each.hours)
    const recalled = hours.map(recall)
    const missing = hours.filter((_, at) => recalled[at] === undefined)
    const rest = spans.flatMap((each) => each.rest)
    const counted = await countEnded(db, [...missing, ...rest])
    const at = clock.monotonic()
    for (const [place, hour] of missing.entries()) {
      known.set(keyOf(hour), { counts: counted[place] ?? new Map(), at })
    }
    return sumOf([...recalled.filter((counts) => counts !== undefined), ...counted])
  }
}

function keyOf({ teamPath, from }: Span): string {
  return `${from.getTime()} ${teamPath}`
}

/** The time from `since` on: the hours that ended before `complete`, and what lies around them. */
function cutHours(teamPath: string, since: Date, complete: number) {
  const first = Math.ceil(since.getTime() / HOUR_MS)
  const last = Math.max(first, Math.floor(complete / HOUR_MS))
  const spanOf = (from: number, to: number): Span => ({ teamPath, from: new Date(from), to: new Date(to) })
  const hours = Array.from({ length: last - first }, (_, at) =>
    spanOf((first + at) * HOUR_MS, (first + at + 1) * HOUR_MS),
  )
  return { hours, rest: [spanOf(since.getTime(), first * HOUR_MS), spanOf(last * HOUR_MS, FOREVER)] }
}

const FOREVER = Date.UTC(9999, 0)

function sumOf(all: readonly Counts[]): Counts {
  const sum = new Map<string, number>()
  for (const counts of all) for (const [status, count] of counts) sum.set(status, (sum.get(status) ?? 0) + count)
  return sum
}
