/** Of one person in one repository. */
export const PERSON_LIMIT = { count: 10, windowMs: 10 * 60_000 } as const
/** Of everybody, through one source. */
export const SOURCE_LIMIT = { count: 100, windowMs: 60_000 } as const

/** The beginning of the window that the time is in. */
export function windowStart(at: Date, windowMs: number): Date {
  return new Date(Math.floor(at.getTime() / windowMs) * windowMs)
}
