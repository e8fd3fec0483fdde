import { entriesOf } from '@signalbox/contracts/http/requests'
import type { Limits } from './fit.ts'
import { Words } from './words.ts'

export interface Cutting {
  readonly limits: Limits
  /** Of each list of the facts. */
  readonly heights: ReadonlyMap<unknown, number>
  /** The characters that words take when they are shown within the limits. */
  readonly weigh: (words: Words) => number
}

/** A value whose lists keep their limits. */
export interface Cut {
  readonly value: unknown
  /** About the characters that it takes as JSON. */
  readonly weight: number
  /** The items that its lists lost. */
  readonly leftOut: number
}

/** `value` with a note in the place of the items that its lists have too many. */
export function cutLists(value: unknown, cutting: Cutting): Cut {
  if (value instanceof Words) return { value, weight: cutting.weigh(value) + 8, leftOut: 0 }
  if (typeof value === 'string') return { value, weight: value.length + 3, leftOut: 0 }
  if (typeof value !== 'object' || value === null) return { value, weight: 6, leftOut: 0 }
  return Array.isArray(value) ? cutList(value, cutting) : cutFields(value, cutting)
}

function cutList(items: readonly unknown[], cutting: Cutting): Cut {
  const cuts = new Map<number, Cut>()
  const cutOf = (at: number): Cut => {
    const cut = cuts.get(at) ?? cutLists(items[at], cutting)
    cuts.set(at, cut)
    return cut
  }
  const size = cutting.limits.listOf(cutting.heights.get(items) ?? 1)
  const { from, to } = middleOf(items.length, size, (at) => cutOf(at).weight)
  const before = items.slice(0, from).map((_, at) => cutOf(at))
  const after = items.slice(to).map((_, at) => cutOf(to + at))
  const kept = [...before, ...after]
  const note = from === to ? [] : [noteOf(to - from)]
  return {
    value: [...before.map((each) => each.value), ...note, ...after.map((each) => each.value)],
    weight: kept.reduce((sum, each) => sum + each.weight, 2 + 24 * note.length),
    leftOut: kept.reduce((sum, each) => sum + each.leftOut, to - from),
  }
}

function cutFields(value: object, cutting: Cutting): Cut {
  const fields = entriesOf(value).map(([name, item]) => [name, cutLists(item, cutting)] as const)
  return {
    value: Object.fromEntries(fields.map(([name, item]) => [name, item.value])),
    weight: fields.reduce((sum, [name, item]) => sum + name.length + 4 + item.weight, 2),
    leftOut: fields.reduce((sum, [, item]) => sum + item.leftOut, 0),
  }
}

/** In the place of the items that were left out. */
export function noteOf(count: number): string {
  return `(${count} left out here)`
}

/**
 * The items of a list that go, from `from` up to `to`, so that the others weigh at most `size`; the first and the last
 * stay. Two thirds of what stays come before. It looks at no more items than stay.
 */
export function middleOf(
  length: number,
  size: number,
  weightOf: (at: number) => number,
): { readonly from: number; readonly to: number } {
  let from = 0
  let weight = 0
  while (from < length && weight + weightOf(from) <= size) weight += weightOf(from++)
  if (from === length || length <= 2) return { from: length, to: length }
  while (from > 1 && weight > (size * 2) / 3) weight -= weightOf(--from)
  if (from === 0) weight += weightOf(from++)
  let to = length - 1
  weight += weightOf(to)
  while (to - 1 > from && weight + weightOf(to - 1) <= size) weight += weightOf(--to)
  return { from, to }
}

/** The height of each list in `value`: one more than that of the highest list in it. */
export function heightsOf(value: unknown): ReadonlyMap<unknown, number> {
  const heights = new Map<unknown, number>()
  measureHeight(value, heights)
  return heights
}

function measureHeight(value: unknown, heights: Map<unknown, number>): number {
  if (typeof value !== 'object' || value === null || value instanceof Words) return 0
  if (!Array.isArray(value))
    return entriesOf(value).reduce((most, [, item]) => Math.max(most, measureHeight(item, heights)), 0)
  const height = value.reduce((most: number, item: unknown) => Math.max(most, measureHeight(item, heights)), 0) + 1
  heights.set(value, height)
  return height
}
