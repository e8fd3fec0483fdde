/** The only door to time: rules get instants as arguments, rooms get this clock, tests get one they can move. */
export interface Clock {
  now(): Date
  /** Milliseconds that never jump; for durations and leases held in memory. */
  monotonic(): number
  /** Calls back once; never keeps the process alive. */
  after(ms: number, callback: () => void): Timer
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface Timer {
  cancel(): void
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done, { once: true })
    })
  },
}

/** RFC 3339 UTC with milliseconds: the form of every time on the wire. */
export function toWireTime(at: Date): string {
  return at.toISOString()
}

export function toWireTimeOrNull(at: Date | null | undefined): string | null {
  return at ? at.toISOString() : null
}
