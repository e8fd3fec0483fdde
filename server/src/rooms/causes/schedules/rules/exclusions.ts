import { DAY, dayOf, readDay } from './wall.ts'
import type { Zone } from './zone.ts'

/** Why nothing fires at an instant, and the first instant for which this is no reason any more. */
export interface Exclusion {
  readonly by: string
  readonly until: number
}

export type Excluder = (instant: number) => Exclusion | undefined

/** The first and the last excluded day of an entry such as `2026-12-24/2027-01-01`. */
interface DayRange {
  readonly text: string
  readonly from: number
  readonly to: number
}

export type DatesReading =
  | { readonly ok: true; readonly excluder: Excluder }
  | { readonly ok: false; readonly faults: readonly { readonly index: number; readonly message: string }[] }

export const MAX_EXCLUDED_DATES = 1000

/** Local dates of the zone on which nothing fires. */
export function readExcludedDates(entries: readonly string[], zone: Zone): DatesReading {
  const read = entries.map(readEntry)
  const faults = read.flatMap((entry, index) => (typeof entry === 'string' ? [{ index, message: entry }] : []))
  if (entries.length > MAX_EXCLUDED_DATES) {
    faults.push({ index: MAX_EXCLUDED_DATES, message: `At most ${MAX_EXCLUDED_DATES} entries are taken.` })
  }
  if (faults.length > 0) return { ok: false, faults }
  const ranges = read.filter((entry) => typeof entry !== 'string')
  return {
    ok: true,
    excluder(instant) {
      const day = dayOf(instant + zone.offsetAt(instant))
      const range = ranges.find(({ from, to }) => day >= from && day <= to)
      return range && { by: range.text, until: startOfDay(range.to + 1, zone) }
    },
  }
}

function readEntry(text: string): DayRange | string {
  const [first = '', last = first, more] = text.split('/')
  const [from, to] = [readDay(first), readDay(last)]
  if (from === undefined || to === undefined || more !== undefined) {
    return `"${text.slice(0, 40)}" is no date: write 2026-12-25, or 2026-12-24/2027-01-01 for all days from the first to the last.`
  }
  if (to < from) return `"${text}" ends before it begins: write the earlier date first.`
  return { text, from, to }
}

/** The first instant of a local day; of the next one that exists, where a change skips it. */
export function startOfDay(day: number, zone: Zone): number {
  return zone.firstInstantOf(day * DAY)
}

/** The first reason that applies. */
export function anyExcluder(excluders: readonly Excluder[]): Excluder {
  return (instant) => {
    for (const excluder of excluders) {
      const found = excluder(instant)
      if (found) return found
    }
    return undefined
  }
}
