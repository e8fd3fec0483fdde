const SHORTEST_MS = 1000
const LONGEST_MS = 15_000

/**
 * How long to rest between readings that cost much: a second after the first one, as an opened page is told twice to read, and
 * longer each time while changes go on, up to 15 s. After a quiet time it begins anew.
 */
export class GrowingRest {
  #restMs = 0
  #begunAt = Number.NEGATIVE_INFINITY

  /** The rest that begins now, after a reading of `tookMs`. */
  next(now: number, tookMs: number): number {
    const isQuiet = now - this.#begunAt > this.#restMs + tookMs + LONGEST_MS
    this.#restMs = isQuiet ? SHORTEST_MS : Math.min(this.#restMs * 2, LONGEST_MS)
    this.#begunAt = now
    return Math.max(this.#restMs, tookMs)
  }
}
