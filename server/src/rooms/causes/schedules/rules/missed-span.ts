import type { CompiledTiming, Occurrence } from './timing.ts'
import { SECOND } from './wall.ts'

/** What was missed in a span of time: the newest one by one, what is older as one number. */
export interface MissedSpan {
  readonly folded: FoldedFires | undefined
  /** In order. */
  readonly newest: readonly Occurrence[]
}

export interface FoldedFires {
  readonly first: Occurrence
  readonly last: Occurrence
  readonly count: number
  /** False: there are more, but nobody counted on. */
  readonly exact: boolean
}

export interface SpanBounds {
  readonly from: Date
  readonly before: Date
  /** The newest one, which is not missed. */
  readonly except: Occurrence | undefined
}

/** Rows for one round, the folded one included. */
const MAX_ROWS = 100
/** Counting goes no further: a fire each second is 86,400 a day, and counting one takes microseconds. */
const MAX_COUNTED = 2000

export function countMissed(compiled: CompiledTiming, { from, before, except }: SpanBounds): MissedSpan {
  const end = (except?.planned ?? before).getTime() - 1
  if (end < from.getTime()) return { folded: undefined, newest: [] }
  const listed = compiled.list(from, new Date(end), { limit: MAX_COUNTED + 1 })
  if (listed.length <= MAX_ROWS) return { folded: undefined, newest: listed }
  const exact = listed.length <= MAX_COUNTED
  const newest = exact ? listed.slice(1 - MAX_ROWS) : listNewest(compiled, from.getTime(), end)
  const [first, firstNewest] = [listed[0], newest[0]]
  if (!first || !firstNewest) return { folded: undefined, newest }
  const last = compiled.latest(new Date(firstNewest.planned.getTime() - 1), from) ?? first
  const count = exact ? listed.length - newest.length : MAX_COUNTED - newest.length
  return { folded: { first, last, count, exact }, newest }
}

/** The newest occurrences up to the end, at most 99: the span is doubled back, then halved, until it holds a few. */
function listNewest(compiled: CompiledTiming, from: number, end: number): readonly Occurrence[] {
  const wanted = MAX_ROWS - 1
  let short = 0
  let long: number | undefined
  let width = SECOND
  for (let step = 0; step < 80; step += 1) {
    const listed = compiled.list(new Date(Math.max(from, end - width)), new Date(end), { limit: 2 * wanted + 1 })
    const few = listed.length <= 2 * wanted
    if (few && (listed.length >= wanted || end - width <= from)) return listed.slice(-wanted)
    if (few) short = width
    else long = width
    width = long === undefined ? width * 2 : Math.floor((short + long) / 2)
  }
  return []
}
