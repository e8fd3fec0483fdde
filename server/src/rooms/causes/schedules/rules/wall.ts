/**
 * Wall-clock times as numbers: the milliseconds that the clock's reading would have as an instant of UTC. Days are counted
 * from 1970-01-01 in the same way. Neither is an instant until a zone maps it.
 */
export type Wall = number

export const SECOND = 1000
export const DAY = 86_400_000

/** The years that times may lie in: calendars of Outlook begin their zones in 1601. */
const FIRST_YEAR = 1600
const LAST_YEAR = 9999

const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?$/

/** A date such as `2026-12-24`, or a date with a time such as `2026-12-24T08:00:30.5`; undefined where no calendar has it. */
export function readWall(text: string): Wall | undefined {
  const match = TIME.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0))
  if (year === undefined || month === undefined || day === undefined || year < FIRST_YEAR || year > LAST_YEAR)
    return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  const read = new Date(wall)
  if (read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) return undefined
  return wall + Math.floor(Number(`0.${match[7] ?? '0'}`) * SECOND)
}

/** The day of a date such as `2026-12-24`. */
export function readDay(text: string): number | undefined {
  const wall = /^\d{4}-\d{2}-\d{2}$/.test(text) ? readWall(text) : undefined
  return wall === undefined ? undefined : dayOf(wall)
}

export function dayOf(wall: Wall): number {
  return Math.floor(wall / DAY)
}

/** RFC 3339 with the offset. Offsets with seconds, as before 1972, are cut to minutes: the form has no seconds. */
export function writeLocal(instant: number, offset: number): string {
  const minutes = Math.trunc(offset / 60_000)
  const shown = new Date(instant + minutes * 60_000).toISOString().replace(/(?:\.000)?Z$/, '')
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${shown}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
