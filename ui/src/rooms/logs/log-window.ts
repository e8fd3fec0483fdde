/** Where the list is to go. */
export interface Place {
  readonly row: number
  readonly align: 'start' | 'center' | 'end'
}

/** The rows that a list was drawn with. */
export interface Drawn {
  readonly start: number
  readonly end: number
  readonly epoch: number
}

/** Rows that the list knows at a time: a million of them would be higher than a browser can scroll. */
export const MOST_ROWS = 20_000
/** So many times a list that stops on the way is sent on: it may be drawn late, and then be higher than it was. */
const MOST_TRIES = 20
/** So near to the end of what the list knows, it is given other rows. */
const MARGIN = 100

/** The part of all rows that the list knows, and whether it stays at the end. */
export class LogWindow {
  #count = 0
  #start = 0
  #epoch = 0
  #isFollowing = false
  #came = 0
  #place: Place | undefined
  /** The list that is drawn next shows other rows, and knows by the place alone where it was. */
  #isNew = false
  /** The rows on the screen. */
  #sight: readonly [first: number, last: number] = [0, -1]
  /** The row that keeps its place when rows come or go above it. */
  #anchor = 0
  /** Where the list goes, until that is on the screen or somebody scrolls: what is seen on the way counts not. */
  #target: Place | undefined
  #tries = 0
  readonly #changed: () => void

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get start(): number {
    return this.#start
  }

  get end(): number {
    return Math.min(this.#count, this.#start + MOST_ROWS)
  }

  /** A list that knows other rows is another list. */
  get epoch(): number {
    return this.#epoch
  }

  get isFollowing(): boolean {
    return this.#isFollowing
  }

  /** Undefined while the end is what keeps its place. */
  get anchor(): number | undefined {
    return this.#isFollowing ? undefined : this.#anchor
  }

  /** Lines that came since somebody let go. */
  get came(): number {
    return this.#came
  }

  /**
   * Where to go now; asked once for each place. A list that was drawn with other rows cannot go there: the place waits
   * for the list that is drawn next.
   */
  takePlace(drawn: Drawn): Place | undefined {
    if (drawn.start !== this.#start || drawn.end !== this.end || drawn.epoch !== this.#epoch) return undefined
    const place = this.#place
    this.#place = undefined
    this.#isNew = false
    return place
  }

  show(place: Place): void {
    if (place.row < this.#start || place.row >= this.end) this.#moveTo(place.row, this.#isFollowing)
    this.#place = place
    this.#anchor = place.row
    this.#target = place
    this.#tries = 0
    this.#changed()
  }

  /** Somebody scrolls: the list goes nowhere else any more, unless it follows. */
  scrolled(): void {
    if (this.#isFollowing) this.#target = undefined
    else this.#stay()
  }

  follow(isOn: boolean): void {
    if (isOn === this.#isFollowing) return
    this.#isFollowing = isOn
    this.#came = 0
    this.#stay()
    if (isOn && this.#count > 0) this.show({ row: this.#count - 1, align: 'end' })
    this.#changed()
  }

  isInSight(row: number): boolean {
    const [first, last] = this.#sight
    return row >= first && row <= last
  }

  lineCame(): void {
    if (!this.#isFollowing) this.#came += 1
  }

  /** There are so many rows now, and so many more of them above the anchor. */
  setCount(count: number, above = 0): void {
    if (above !== 0) this.#shift(above)
    if (count === this.#count) return
    this.#count = count
    if (this.#start > 0 && this.#start >= count) this.#moveTo(count - 1)
    if (this.#isFollowing && count > 0) this.show({ row: count - 1, align: 'end' })
  }

  /** The list shows these rows: near an edge it is given others, with the first of them where it was. */
  shown(first: number, last: number): void {
    this.#sight = [first, last]
    if (this.#target && this.#target.row < this.#count && !this.isInSight(this.#target.row)) return this.#goOn()
    this.#target = undefined
    this.#anchor = first
    if (this.#isFollowing) return
    const isNearStart = first - this.#start < MARGIN && this.#start > 0
    const isNearEnd = this.end - last < MARGIN && this.end < this.#count
    if (!isNearStart && !isNearEnd) return
    this.#moveTo(first)
    this.#place = { row: first, align: 'start' }
    this.#changed()
  }

  /** The list stopped before it was there: a browser goes no further than what it has drawn. */
  #goOn(): void {
    this.#tries += 1
    if (this.#tries > MOST_TRIES) return
    this.#place = this.#target
    this.#changed()
  }

  /** Forgets where the list was to go, also for the next drawing, which comes up to a frame later. */
  #stay(): void {
    this.#target = undefined
    if (!this.#isNew) this.#place = undefined
  }

  /** What the list knows stays what it is, under other numbers. */
  #shift(rows: number): void {
    const [first, last] = this.#sight
    this.#sight = [first + rows, last + rows]
    this.#anchor += rows
    this.#target = moved(this.#target, rows)
    this.#start += rows
    this.#place = moved(this.#place, rows)
    if (this.#start >= 0) return
    this.#start = 0
    this.#isNew = true
    this.#place ??= { row: this.#anchor, align: 'start' }
  }

  /** `isGrowing` leaves room for rows that come: else each of them would need another list. */
  #moveTo(row: number, isGrowing = false): void {
    const highest = isGrowing ? row : Math.max(0, this.#count - MOST_ROWS)
    this.#start = Math.min(highest, Math.max(0, row - MOST_ROWS / 2))
    this.#epoch += 1
    this.#isNew = true
  }
}

function moved(place: Place | undefined, rows: number): Place | undefined {
  return place && { ...place, row: place.row + rows }
}
