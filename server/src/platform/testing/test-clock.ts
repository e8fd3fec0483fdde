import type { Clock } from '#platform/time'

/** A clock that stands still until a test moves it; timers fire in order while it moves. */
export interface TestClock extends Clock {
  advance(ms: number): Promise<void>
}

export function createTestClock(start = new Date('2026-11-21T09:00:00.000Z')): TestClock {
  let elapsed = 0
  const timers = new Set<{ at: number; fire: () => void }>()
  const clock: TestClock = {
    now: () => new Date(start.getTime() + elapsed),
    monotonic: () => elapsed,
    after(ms, callback) {
      const timer = { at: elapsed + ms, fire: callback }
      timers.add(timer)
      return { cancel: () => void timers.delete(timer) }
    },
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const timer = clock.after(ms, resolve)
        signal?.addEventListener('abort', () => {
          timer.cancel()
          resolve()
        })
      })
    },
    // The event loop turns also while this clock stands still.
    nextTurn: (callback) => void setImmediate(callback),
    async advance(ms) {
      const end = elapsed + ms
      for (;;) {
        const next = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        timers.delete(next)
        elapsed = Math.max(elapsed, next.at)
        next.fire()
        // Lets what the timer woke run before the next one fires.
        await new Promise(setImmediate)
      }
      elapsed = end
    },
  }
  return clock
}
