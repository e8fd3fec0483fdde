interface UnderWay<T> {
  /** Resolves when the reading is over, however it ended. */
  readonly over: Promise<unknown>
  /** The reading after it, where somebody waits for that. */
  next?: Promise<T>
}

/**
 * Readings that many ask for at the same time, such as all open pages that were told of a change. Nobody gets what was read
 * before they asked: who asks while a reading of the same key is under way shares the next one, which begins when that one
 * is over. The key says everything that the answer depends on, the rights of whoever asks included.
 */
export class SharedReadings<T> {
  readonly #underWay = new Map<string, UnderWay<T>>()

  read(key: string, read: () => Promise<T>): Promise<T> {
    const current = this.#underWay.get(key)
    if (!current) return this.#begin(key, read)
    current.next ??= current.over.then(() => this.#begin(key, read))
    return current.next
  }

  #begin(key: string, read: () => Promise<T>): Promise<T> {
    const reading = read()
    const forget = (): void => {
      if (current.next === undefined) this.#underWay.delete(key)
    }
    const current: UnderWay<T> = { over: reading.catch(() => undefined).finally(forget) }
    this.#underWay.set(key, current)
    return reading
  }
}
