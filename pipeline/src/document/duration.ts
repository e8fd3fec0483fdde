const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const
const SHAPE = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?$/

/** The pattern of a duration for JSON Schema. */
export const DURATION_PATTERN = '^(?=\\d)(\\d{1,6}d)?(\\d{1,6}h)?(\\d{1,6}m)?(\\d{1,8}s)?$'

/** Timers and PostgreSQL intervals stay exact, and no wait is longer: 30 days. */
export const LONGEST_DURATION_MS = 30 * UNITS.d

/** Retention may last longer than any wait: 400 days. */
export const LONGEST_RETENTION_MS = 400 * UNITS.d

/** "90s", "10m", "1h30m" as milliseconds; undefined for anything else, for zero and for more than `longestMs`. */
export function parseDuration(text: string, longestMs: number = LONGEST_DURATION_MS): number | undefined {
  const match = SHAPE.exec(text)
  if (match === null || text === '') return undefined
  const [, d = '0', h = '0', m = '0', s = '0'] = match
  const ms = Number(d) * UNITS.d + Number(h) * UNITS.h + Number(m) * UNITS.m + Number(s) * UNITS.s
  return ms > 0 && ms <= longestMs ? ms : undefined
}
