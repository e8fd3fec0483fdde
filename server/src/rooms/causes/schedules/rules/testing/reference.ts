/**
 * When an expression fires, found the slow way: each minute's local time is asked of Intl.DateTimeFormat, and a matcher of
 * its own judges it. It shares nothing with the product: no croner, no table of changes.
 */

export interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

export type Policy = 'once' | 'skip' | 'both'

const MINUTE = 60_000
const NAMES: Readonly<Record<string, number>> = Object.fromEntries([
  ...'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ').map((name, index) => [name, index + 1]),
  ...'SUN MON TUE WED THU FRI SAT'.split(' ').map((name, index) => [name, index]),
])

function numberOf(text: string): number {
  return NAMES[text] ?? Number(text)
}

/** Lists, ranges, steps and names. */
function fits(field: string, value: number, from: number, to: number): boolean {
  return field.split(',').some((item) => {
    const [range = '', step = '1'] = item.split('/')
    const [low, high] = range === '*' ? [from, to] : range.split('-').map(numberOf)
    if (low === undefined) return false
    return value >= low && value <= (high ?? low) && (value - low) % Number(step) === 0
  })
}

function weekdayOf({ year, month }: LocalTime, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}

function lengthOf({ year, month }: LocalTime): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function workday(time: LocalTime, day: number): boolean {
  return day >= 1 && day <= lengthOf(time) && weekdayOf(time, day) >= 1 && weekdayOf(time, day) <= 5
}

function fitsDayOfMonth(field: string, time: LocalTime): boolean {
  return field.split(',').some((item) => {
    if (item === 'L') return time.day === lengthOf(time)
    if (item === 'LW') {
      const days = Array.from({ length: 31 }, (_, index) => index + 1)
      return time.day === days.filter((day) => workday(time, day)).at(-1)
    }
    const wanted = /^(\d+)W$/.exec(item)
    if (!wanted) return fits(item, time.day, 1, 31)
    const day = Number(wanted[1])
    if (day > lengthOf(time)) return false
    const nearest = [0, -1, 1, -2, 2].map((distance) => day + distance).find((each) => workday(time, each))
    return time.day === nearest
  })
}

function fitsDayOfWeek(field: string, time: LocalTime): boolean {
  const weekday = weekdayOf(time, time.day)
  return field.split(',').some((item) => {
    const last = /^(\w+?)(?:L|#L)$/.exec(item)
    if (last) return numberOf(last[1] ?? '') % 7 === weekday && time.day + 7 > lengthOf(time)
    const [name = '', nth] = item.split('#')
    if (nth !== undefined) return numberOf(name) % 7 === weekday && Math.ceil(time.day / 7) === Number(nth)
    return fits(item, weekday, 0, 6) || (weekday === 0 && fits(item, 7, 0, 7) && !item.startsWith('*'))
  })
}

export function matchesDay(expression: string, time: LocalTime): boolean {
  const [, , day = '', month = '', weekday = ''] = expression.toUpperCase().replaceAll('?', '*').split(' ')
  if (!fits(month, time.month, 1, 12)) return false
  if (day === '*') return weekday === '*' || fitsDayOfWeek(weekday, time)
  if (weekday === '*') return fitsDayOfMonth(day, time)
  return fitsDayOfMonth(day, time) || fitsDayOfWeek(weekday, time)
}

export function matches(expression: string, time: LocalTime): boolean {
  const [minute = '', hour = ''] = expression.split(' ')
  return fits(minute, time.minute, 0, 59) && fits(hour, time.hour, 0, 23) && matchesDay(expression, time)
}

export interface Minute {
  readonly at: number
  readonly local: LocalTime
  /** The local time as a number of minutes. */
  readonly wall: number
}

export function localClock(zone: string): (instant: number) => Minute {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  return (at) => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = format.format(at).split(/\D+/).map(Number)
    return {
      at,
      local: { year, month, day, hour, minute },
      wall: Date.UTC(year, month - 1, day, hour, minute) / MINUTE,
    }
  }
}

/** Each minute of a window. It begins and ends hours too far, so that both passes of a repeated time are seen. */
export function readMinutes(zone: string, from: number, to: number): readonly Minute[] {
  const clock = localClock(zone)
  const minutes: Minute[] = []
  for (let at = from; at <= to; at += MINUTE) minutes.push(clock(at))
  return minutes
}

function localOf(wall: number): LocalTime {
  const date = new Date(wall * MINUTE)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  }
}

/** The instants of the window at which the expression fires, by the sentences of the specification. */
export function fireSlowly(expression: string, policy: Policy, minutes: readonly Minute[]): readonly number[] {
  const passes = new Map<number, number[]>()
  for (const { at, wall } of minutes) passes.set(wall, [...(passes.get(wall) ?? []), at])
  const fires = new Set<number>()
  const everyHour = expression.split(' ')[1] === '*'
  for (const [index, { at, local, wall }] of minutes.entries()) {
    const before = minutes[index - 1]
    for (let skipped = (before?.wall ?? wall) + 1; skipped < wall; skipped += 1) {
      if (matches(expression, localOf(skipped))) fires.add(at)
    }
    if (!matches(expression, local)) continue
    const all = passes.get(wall) ?? []
    if (all.length === 1 || policy === 'both' || (policy === 'once' && (everyHour || all[0] === at))) fires.add(at)
  }
  return [...fires].sort((a, b) => a - b)
}
