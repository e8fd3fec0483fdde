/** A list of at most so many rows is drawn whole. */
export const MOST_WHOLE = 60
/** So many rows above and below those in sight are drawn, so that quick scrolling and the next key find them. */
const MARGIN = 8
/** The window moves by so many rows at once, not with each of them. */
const BLOCK = 4
/** Until a row was measured. */
const FIRST_GUESS = 33

/** Rows from `from`, before `to`. */
export interface Rows {
  readonly from: number
  readonly to: number
}

/** How high rows are: measured while they are drawn, kept while they are not. */
export class RowHeights {
  readonly #known = new Map<string, number>()
  #usual: number | undefined

  of(key: string): number {
    return this.#known.get(key) ?? this.#usual ?? FIRST_GUESS
  }

  /** Answers whether rows that were never drawn are taken for as high as before. */
  note(measured: readonly (readonly [key: string, height: number])[]): boolean {
    for (const [key, height] of measured) this.#known.set(key, height)
    if (this.#usual !== undefined || measured.length === 0) return true
    this.#usual = measured.reduce((sum, [, height]) => sum + height, 0) / measured.length
    return this.#usual === FIRST_GUESS
  }

  /** All rows are of another height: the list became narrower, or denser. */
  forget(): void {
    this.#known.clear()
    this.#usual = undefined
  }
}

/** Where each row begins, from the top of the first; one more for the end of the last. */
export function offsetsOf(heights: readonly number[]): Float64Array {
  const offsets = new Float64Array(heights.length + 1)
  for (const [at, height] of heights.entries()) offsets[at + 1] = (offsets[at] ?? 0) + height
  return offsets
}

/**
 * The rows to draw while this part of the list is in sight, in pixels from the top of its first row. At the end of the
 * list they reach beyond it: the next page is drawn as soon as it is there.
 */
export function rowsAround(offsets: Float64Array, top: number, bottom: number): Rows {
  const { from, to } = rowsInSight(offsets, top, bottom)
  return {
    from: Math.max(0, Math.floor((from - MARGIN) / BLOCK) * BLOCK),
    to: Math.ceil((to + MARGIN) / BLOCK) * BLOCK,
  }
}

/** The rows in this part of the list; the nearest one where it lies outside. */
export function rowsInSight(offsets: Float64Array, top: number, bottom: number): Rows {
  return { from: rowAt(offsets, top), to: rowAt(offsets, bottom) + 1 }
}

/** The row at this height, the nearest one outside of the list. */
function rowAt(offsets: Float64Array, height: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * What is drawn of `count` rows, in order: the window, the first and the last row, where Tab and the keys enter the list,
 * and the row with the focus between its neighbours, where they go on.
 */
export function drawnRows(count: number, shown: Rows, focused: number | undefined): readonly Rows[] {
  const wanted = [{ from: 0, to: 1 }, shown, { from: count - 1, to: count }]
  if (focused !== undefined) wanted.push({ from: focused - 1, to: focused + 2 })
  const drawn: Rows[] = []
  for (const each of wanted.toSorted((a, b) => a.from - b.from)) {
    const { from, to } = { from: Math.max(0, each.from), to: Math.min(count, each.to) }
    const before = drawn.at(-1)
    if (from >= to) continue
    if (before && from <= before.to) drawn[drawn.length - 1] = { from: before.from, to: Math.max(before.to, to) }
    else drawn.push({ from, to })
  }
  return drawn
}

/** A row by its key, and where it was: others may have come above it. */
export interface KnownRow {
  readonly key: string
  readonly index: number
}

/** Where the row is now; undefined once it is gone. */
export function indexOfRow(
  row: KnownRow,
  keyAt: (index: number) => string | undefined,
  count: number,
): number | undefined {
  if (keyAt(row.index) === row.key) return row.index
  for (let index = 0; index < count; index++) if (keyAt(index) === row.key) return index
  return undefined
}
