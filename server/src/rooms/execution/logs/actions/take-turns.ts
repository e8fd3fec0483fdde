import type { Clock } from '#platform/time'

/** So long nothing else of the process waits for this work. */
const BREATH_MS = 10

/** Long work in parts: others have their turns between them, and it ends when its time is up. */
export class Turns {
  readonly #clock: Clock
  readonly #deadline: number
  #breath: number

  constructor(clock: Clock, budgetMs: number) {
    this.#clock = clock
    this.#breath = clock.monotonic()
    this.#deadline = this.#breath + budgetMs
  }

  /** To be asked every few lines; false when the time is up. */
  async goOn(): Promise<boolean> {
    const now = this.#clock.monotonic()
    if (now > this.#deadline) return false
    if (now - this.#breath > BREATH_MS) {
      await new Promise<void>((resolve) => this.#clock.nextTurn(resolve))
      this.#breath = this.#clock.monotonic()
    }
    return true
  }
}
