/** What changes again within this is said once. */
const REST_MS = 1500
/** Between two announcements. */
const SILENCE_MS = 10_000

/** When a text that changes by itself is said: when it rests, at most every 10 s, and at last though it never rests. */
export class CalmVoice {
  #spokeAt = Number.NEGATIVE_INFINITY
  /** Since when something is unsaid. */
  #since: number | undefined

  /** Milliseconds until the text is said, if it does not change; undefined where it has been. */
  waitFor(text: string, said: string, now: number): number | undefined {
    if (text === said) {
      this.#since = undefined
      return undefined
    }
    this.#since ??= now
    const rested = Math.min(now + REST_MS, this.#since + SILENCE_MS)
    return Math.max(0, Math.max(rested, this.#spokeAt + SILENCE_MS) - now)
  }

  speak(now: number): void {
    this.#spokeAt = now
    this.#since = undefined
  }
}
