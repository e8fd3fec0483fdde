import { readWall, type Wall } from '../wall.ts'

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

export interface WeekdayAt {
  /** From 0, Sunday. */
  readonly weekday: number
  /** 2: the second of the month or the year; -1: the last; 0: each. */
  readonly position: number
}

/** An RRULE that names days. */
export interface RepeatRule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | undefined
  readonly until: Until | undefined
  /** From 0, Sunday. */
  readonly weekStart: number
  readonly months: readonly number[]
  readonly daysOfMonth: readonly number[]
  readonly daysOfYear: readonly number[]
  readonly weekdays: readonly WeekdayAt[]
  readonly positions: readonly number[]
}

/** The last time at which the event may begin: an instant where it is UTC, otherwise on the clocks of the event. */
export interface Until {
  readonly wall: Wall
  readonly utc: boolean
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const PARTS = ['freq', 'interval', 'count', 'until', 'wkst', 'bymonth', 'bymonthday', 'byyearday', 'byday', 'bysetpos']

/** The rule, or a sentence that says why it is refused. */
export function readRepeatRule(value: unknown): RepeatRule | string {
  const parts = new Map<string, unknown>(Object.entries(Object(value)))
  const other = [...parts.keys()].find((part) => !PARTS.includes(part))
  if (other !== undefined)
    return `RRULE with ${other.toUpperCase().slice(0, 20)} is not supported: write a rule that names days.`
  const frequency = readFrequency(parts.get('freq'))
  if (frequency === undefined)
    return 'RRULE needs FREQ as DAILY, WEEKLY, MONTHLY or YEARLY: an event of minutes cannot be a day off.'
  const until = readUntil(parts.get('until'))
  if (until === 'unreadable') return 'UNTIL is no date and no time.'
  const weekdays = listOf(parts.get('byday')).map(readWeekday)
  if (weekdays.includes(undefined)) return 'BYDAY holds what is no day of the week.'
  const rule: RepeatRule = {
    frequency,
    interval: numbersOf(parts.get('interval'))[0] ?? 1,
    count: numbersOf(parts.get('count'))[0],
    until,
    weekStart: (numbersOf(parts.get('wkst'))[0] ?? 2) - 1,
    months: numbersOf(parts.get('bymonth')),
    daysOfMonth: numbersOf(parts.get('bymonthday')),
    daysOfYear: numbersOf(parts.get('byyearday')),
    weekdays: weekdays.filter((weekday) => weekday !== undefined),
    positions: numbersOf(parts.get('bysetpos')),
  }
  return findRuleFault(rule) ?? rule
}

function findRuleFault({ frequency, interval, count, months, ...rule }: RepeatRule): string | undefined {
  if (!Number.isInteger(interval) || interval < 1 || interval > 10_000) return 'INTERVAL must be from 1 to 10,000.'
  if (count !== undefined && (!Number.isInteger(count) || count < 1)) return 'COUNT must be at least 1.'
  if (months.some((month) => !(month >= 1 && month <= 12))) return 'BYMONTH must be from 1 to 12.'
  const positioned = rule.weekdays.some(({ position }) => position !== 0)
  if (positioned && (frequency === 'DAILY' || frequency === 'WEEKLY')) {
    return `BYDAY with a number, such as 2MO, does not go with FREQ=${frequency}.`
  }
  if (rule.daysOfYear.length > 0 && frequency !== 'YEARLY') return 'BYYEARDAY goes with FREQ=YEARLY only.'
  return undefined
}

function readFrequency(value: unknown): Frequency | undefined {
  return (['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const).find((frequency) => frequency === value)
}

function readUntil(value: unknown): Until | 'unreadable' | undefined {
  if (value === undefined) return undefined
  const text = String(value)
  const utc = text.endsWith('Z')
  const wall = readWall(text.length === 10 ? `${text}T23:59:59` : text.replace(/Z$/, ''))
  return wall === undefined ? 'unreadable' : { wall, utc }
}

function readWeekday(value: unknown): WeekdayAt | undefined {
  const [, position = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(String(value)) ?? []
  const weekday = WEEKDAYS.indexOf(name)
  return weekday === -1 ? undefined : { weekday, position: Number(position) }
}

/** ical.js gives one value bare, several as a list. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function numbersOf(value: unknown): readonly number[] {
  return listOf(value).map(Number)
}
