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
  return Array.from({ length: 7 }, (_, day) => {
    const label = format.format(new Date(from.getTime() + day * 86_400_000))
    return { label, instants: byDay.get(label) ?? [] }
  })
}
