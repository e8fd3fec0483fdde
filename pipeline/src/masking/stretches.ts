/** Bytes to hide, from `start` up to `end`. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Stretches in their order; overlapping ones become one, whichever value each of them belongs to. */
export class Stretches {
  #list: Stretch[] = []

  get list(): readonly Stretch[] {
    return this.#list
  }

  add(start: number, end: number): void {
    let first = this.#list.length
    while (first > 0 && (this.#list[first - 1]?.end ?? 0) > start) first--
    let behind = first
    let [from, to] = [start, end]
    for (let next = this.#list[behind]; next !== undefined && next.start < to; next = this.#list[behind]) {
      from = Math.min(from, next.start)
      to = Math.max(to, next.end)
      behind++
    }
    this.#list.splice(first, behind - first, { start: from, end: to })
  }

  /** Drops the stretches before `end`, and counts the rest from there. */
  forgetBefore(end: number): void {
    this.#list = this.#list
      .filter((stretch) => stretch.end > end)
      .map((stretch) => ({ start: Math.max(stretch.start - end, 0), end: stretch.end - end }))
  }
}
