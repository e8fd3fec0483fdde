/** The only door to time: rules get instants as arguments, rooms get this clock, tests get one they can move. */
export interface Clock {
  now(): Date
  /** Milliseconds that never jump; for durations and leases held in memory. */
  monotonic(): number
  /** Calls back once; never keeps the process alive. */
  after(ms: number, callback: () => void): Timer
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back in the next turn of the event loop, when timers were looked at and what had arrived was read. */
  nextTurn(callback: () => void): void
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
  nextTurn: (callback) => void setImmediate(callback),
}

/** RFC 3339 UTC with milliseconds: the form of every time on the wire. */
export function toWireTime(at: Date): string {
  return at.toISOString()
}

export function toWireTimeOrNull(at: Date | null | undefined): string | null {
  return at ? at.toISOString() : null
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** The form of nearly all of them: one that the product wrote, on a day that each month has. */
const USUAL_INSTANT = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Whether the text is an instant of RFC 3339 that a Date and PostgreSQL both hold. There is no leap second (RFC 3339
 * allows `:60`, JavaScript has no such instant) and no year 0. A day that the month lacks is refused, too: JavaScript
 * takes 30 February for 2 March.
 */
export function isInstant(text: string): boolean {
  if (USUAL_INSTANT.test(text)) return true
  const [, year = '', month = '', day = ''] = INSTANT.exec(text) ?? []
  const at = Date.parse(text)
  // An offset may lead out of the years that can be written: NaN is in no range either.
  if (year === '' || year === '0000' || !(at >= FIRST_INSTANT && at <= LAST_INSTANT)) return false
  return Number(day) >= 1 && Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}
