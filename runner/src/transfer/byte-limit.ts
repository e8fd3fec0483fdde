const BYTES_OF_MIB = 1024 * 1024

/** How many bytes an archive may have while it is not compressed: a few of them may stand for very many. */
export class ByteLimit {
  readonly #most: number
  #counted = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Throws a sentence when there are too many. */
  count(bytes: number): void {
    this.#counted += bytes
    if (this.#counted <= this.#most) return
    const most = Math.floor(this.#most / BYTES_OF_MIB)
    throw new RangeError(`its files have more than ${most} MiB, the most that this runner takes (--archive-limit-mib)`)
  }
}
