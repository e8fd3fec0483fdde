import { sleep } from './sleep.ts'

/**
 * Does something again whenever it is asked for, never twice at once. Whoever asks while it is being done gets one more
 * turn afterwards, so that the last one sees all. Each turn is followed by a rest as long as itself: what takes long is
 * done less often.
 */
export class Repeated {
  readonly #work: () => Promise<void>
  readonly #rest: (milliseconds: number) => Promise<void>
  #isBusy = false
  #isWanted = false

  constructor(work: () => Promise<void>, rest: (milliseconds: number) => Promise<void> = sleep) {
    this.#work = work
    this.#rest = rest
  }

  ask(): void {
    this.#isWanted = true
    if (!this.#isBusy) void this.#go()
  }

  async #go(): Promise<void> {
    this.#isBusy = true
    try {
      while (this.#isWanted) {
        this.#isWanted = false
        const began = performance.now()
        await this.#work()
        await this.#rest(performance.now() - began)
      }
    } finally {
      this.#isBusy = false
    }
  }
}
