import type { Time, Timer } from './index.ts'

/** A timer that stands still while it is paused. */
export class CountDown implements Timer {
  readonly #time: Time
  readonly #action: () => void
  #leftMs: number
  #since = 0
  #running: Timer | undefined

  constructor(time: Time, milliseconds: number, action: () => void) {
    this.#time = time
    this.#leftMs = milliseconds
    this.#action = action
    this.resume()
  }

  resume(): void {
    if (this.#running !== undefined) return
    this.#since = this.#time.monotonic()
    this.#running = this.#time.after(this.#leftMs, this.#action)
  }

  pause(): void {
    if (this.#running === undefined) return
    this.stop()
    this.#leftMs = Math.max(0, this.#leftMs - (this.#time.monotonic() - this.#since))
  }

  stop(): void {
    this.#running?.stop()
    this.#running = undefined
  }
}
