/**
 * When topics are told of. All streams are told of a topic in the same windows: pages that read again because of it then ask
 * together, so that they share what is read. A change after a window is told at once, and begins the next one.
 */
export class Windows {
  readonly #begun = new Map<string, number>()

  /** When the window began that `now` lies in. */
  at(topic: string, now: number, lengthMs: number): number {
    const begun = this.#begun.get(topic)
    if (begun !== undefined && now - begun < lengthMs) return begun
    this.#begun.set(topic, now)
    return now
  }

  /** Nobody follows the topic any more. */
  forget(topic: string): void {
    this.#begun.delete(topic)
  }
}
