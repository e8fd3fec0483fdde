import type { Occurrence } from '@signalbox/contracts/schedules'
import { until } from '../output/durations.ts'
import type { Cell } from '../output/table.ts'
import type { Context } from './context.ts'
import { printItems } from './listing.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** Instants on the clocks of the zone and in UTC, with what is special about them. */
export function printOccurrences(context: Context, occurrences: readonly Occurrence[]): void {
  printItems(context, occurrences, [
    ['local', ({ local }) => formatLocal(local)],
    ['utc', ({ planned_at }) => formatUtc(planned_at)],
    ['', ({ planned_at }, now) => until(planned_at, now)],
    ['marks', marksOf],
  ])
}

/** `2026-11-24T02:30:00+01:00` as `Tue 2026-11-24 02:30:00 +01:00`. */
export function formatLocal(local: string): string {
  const [, date, time, offset] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(.*)$/.exec(local) ?? []
  if (date === undefined) return local
  const day = DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]
  return `${day} ${date} ${time} ${offset}`
}

/** Without the fraction where it says nothing. */
export function formatUtc(instant: string): string {
  return instant.replace(/\.0+Z$/, 'Z')
}

function marksOf({ marks, excluded_by: excludedBy }: Occurrence): Cell {
  const shown = marks.map((mark) =>
    mark === 'excluded' && excludedBy !== null ? `excluded by ${excludedBy}` : mark.replaceAll('_', ' '),
  )
  return { text: shown.join(', '), tone: marks.includes('excluded') ? 'warn' : 'plain' }
}
