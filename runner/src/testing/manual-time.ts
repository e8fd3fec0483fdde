import type { Time, Timer } from '../time/index.ts'

/** A clock that stands still until a test moves it. */
export class ManualTime implements Time {
  #now = 0
  #timers = new Set<{ at: number; action: () => void }>()

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  random(): number {
    return 0
  }

  after(milliseconds: number, action: () => void): Timer {
    const timer = { at: this.#now + milliseconds, action }
    this.#timers.add(timer)
    return { stop: () => this.#timers.delete(timer) }
  }

  /** Moves on, and fires each timer at its own moment. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.action()
    }
    this.#now = end
  }
}
