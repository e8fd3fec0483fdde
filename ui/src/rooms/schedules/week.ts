import type { Occurrence, Schedule } from './schedule.ts'

/** An instant of a schedule in a week. */
export interface WeekInstant {
  readonly scheduleId: string
  readonly identifier: string
  /** RFC 3339. */
  readonly at: string
}

export interface WeekDay {
  /** Such as "Mon, 23 Nov". */
  readonly label: string
  readonly instants: readonly WeekInstant[]
}

/** The instants of the seven days from `from` on, by day of the zone, each day in order. */
export function daysOf(instants: readonly WeekInstant[], from: Date, zone: string | undefined): readonly WeekDay[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(zone === undefined ? {} : { timeZone: zone }),
  })
  const byDay = Map.groupBy(
    instants.toSorted((a, b) => (a.at < b.at ? -1 : 1)),
    ({ at }) => format.format(new Date(at)),
  )
  // A day has 23 to 25 hours: steps of a day would name one twice, or none.
  const steps = Array.from({ length: 16 }, (_, step) => new Date(from.getTime() + step * 43_200_000))
  const labels = [...new Set(steps.map((each) => format.format(each)))].slice(0, 7)
  return labels.map((label) => ({ label, instants: byDay.get(label) ?? [] }))
}

/** The start of its minute, RFC 3339: the week is drawn again with each. */
export function minuteOf(now: Date): string {
  return `${now.toISOString().slice(0, 16)}:00.000Z`
}

/** The hour of an instant (RFC 3339): the week is asked for again with each. */
export function hourOf(at: string): string {
  return at.slice(0, 13)
}

/** The enabled schedules that fire before the end, those that fire first before the others. */
export function firingBefore<S extends Pick<Schedule, 'enabled' | 'next_fire_at'>>(
  schedules: readonly S[],
  end: string,
): readonly S[] {
  return schedules
    .flatMap((schedule) => {
      const { enabled, next_fire_at: at } = schedule
      return enabled && at !== null && at < end ? [{ schedule, at }] : []
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ schedule }) => schedule)
}

/** The next instants of one schedule, as a preview tells them. */
export interface Upcoming {
  readonly id: string
  readonly identifier: string
  readonly occurrences: readonly Pick<Occurrence, 'planned_at' | 'marks'>[]
}

interface Limits {
  /** The start of the minute now; RFC 3339, as the end. */
  readonly from: string
  readonly end: string
  /** The most that a preview tells. */
  readonly most: number
}

/** Those of its instants that fire from now on, before the end; and where the preview was cut before that, the last one. */
export function instantsOf(
  { id: scheduleId, identifier, occurrences }: Upcoming,
  { from, end, most }: Limits,
): { readonly instants: readonly WeekInstant[]; readonly cutAt: WeekInstant | undefined } {
  const toInstant = ({ planned_at: at }: { readonly planned_at: string }): WeekInstant => ({
    scheduleId,
    identifier,
    at,
  })
  const last = occurrences.length < most ? undefined : occurrences.at(-1)
  const firing = occurrences.filter(
    ({ planned_at, marks }) => planned_at >= from && planned_at < end && !marks.includes('excluded'),
  )
  return {
    instants: firing.map(toInstant),
    cutAt: last && last.planned_at < end ? toInstant(last) : undefined,
  }
}
