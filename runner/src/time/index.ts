/** A timer that can be stopped; stopping it twice does nothing. */
export interface Timer {
  stop(): void
}

/** Everything the runner asks about time and chance, in one place, so that a test can answer instead. */
export interface Time {
  /** Wall clock, Unix milliseconds: for people and for the wire, never for measuring a lease. */
  now(): number
  /** Monotonic milliseconds: for leases and time-outs. */
  monotonic(): number
  /** A number in [0, 1). */
  random(): number
  after(milliseconds: number, action: () => void): Timer
}

// Node fires a longer delay at once.
const LONGEST_TIMER = 2 ** 31 - 1

/** The machine's own clock. */
export const systemTime: Time = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  after: (milliseconds, action) => {
    const handle = setTimeout(action, Math.min(milliseconds, LONGEST_TIMER))
    return { stop: () => clearTimeout(handle) }
  },
}

/** Does it every `milliseconds`, until that is disposed of. */
export function repeat(time: Time, milliseconds: number, action: () => void): Disposable {
  let timer = time.after(milliseconds, function again() {
    action()
    timer = time.after(milliseconds, again)
  })
  return { [Symbol.dispose]: () => timer.stop() }
}

/** Resolves when `signal` is aborted; for races. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Resolves after `milliseconds`, or at once when `signal` is aborted. */
export function pause(time: Time, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve()
      return
    }
    const done = () => {
      timer.stop()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = time.after(milliseconds, done)
    signal?.addEventListener('abort', done)
  })
}
