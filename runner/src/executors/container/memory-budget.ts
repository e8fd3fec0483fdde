/**
 * The memory that the containers of this runner may use together. A task that needs more than is left waits in turn, so
 * that smaller tasks do not pass it for ever.
 */
export class MemoryBudget {
  readonly totalMb: number
  #freeMb: number
  readonly #waiting: { needMb: number; go: () => void }[] = []

  constructor(totalMb: number) {
    this.totalMb = totalMb
    this.#freeMb = totalMb
  }

  /** The part is given back by its disposal. Resolves with undefined when `signal` says stop first. `waiting` is called where there is not enough at once. */
  async take(needMb: number, signal: AbortSignal, waiting: () => void): Promise<Disposable | undefined> {
    const bounded = Math.min(needMb, this.totalMb)
    if (this.#waiting.length > 0 || bounded > this.#freeMb) {
      waiting()
      if (!(await this.#wait(bounded, signal))) return undefined
    } else this.#freeMb -= bounded
    let isReserved = true
    return {
      [Symbol.dispose]: () => {
        if (!isReserved) return
        isReserved = false
        this.#freeMb += bounded
        this.#admit()
      },
    }
  }

  #wait(needMb: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const stopped = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1)
        resolve(false)
        this.#admit()
      }
      const entry = {
        needMb,
        go: () => {
          signal.removeEventListener('abort', stopped)
          resolve(true)
        },
      }
      this.#waiting.push(entry)
      signal.addEventListener('abort', stopped, { once: true })
    })
  }

  #admit(): void {
    for (;;) {
      const [next] = this.#waiting
      if (next === undefined || next.needMb > this.#freeMb) return
      this.#waiting.shift()
      this.#freeMb -= next.needMb
      next.go()
    }
  }
}
