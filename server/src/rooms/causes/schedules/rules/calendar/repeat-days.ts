import { DAY } from '../wall.ts'
import type { RepeatRule } from './repeat-rule.ts'

/** A day of the calendar, as rules judge it. */
interface CalendarDay {
  readonly number: number
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  /** From 0, Sunday. */
  readonly weekday: number
}

export function calendarDay(number: number): CalendarDay {
  const date = new Date(number * DAY)
  return {
    number,
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
  }
}

function dayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / DAY
}

/** The first day of the month, and of the next one. */
function monthOf({ year, month }: CalendarDay): readonly [number, number] {
  return [dayNumber(year, month, 1), dayNumber(year, month + 1, 1)]
}

function yearOf({ year }: CalendarDay): readonly [number, number] {
  return [dayNumber(year, 1, 1), dayNumber(year + 1, 1, 1)]
}

/** 1970-01-01 was a Thursday. */
function weekOf(number: number, weekStart: number): number {
  return Math.floor((number + 4 - weekStart) / 7)
}

/**
 * Whether an event that begins on `start` begins on `number`, too. It is answered for the day alone, without the days before
 * it: an event that has repeated since 1900 costs no more than one of today.
 */
export function repeatsOn(rule: RepeatRule, start: CalendarDay, number: number): boolean {
  if (number <= start.number) return number === start.number
  const day = calendarDay(number)
  if (!isInPeriod(rule, start, day) || !fits(rule, start, day)) return false
  return rule.positions.length === 0 || isAtPosition(rule, start, day)
}

function isInPeriod({ frequency, interval, weekStart }: RepeatRule, start: CalendarDay, day: CalendarDay): boolean {
  switch (frequency) {
    case 'DAILY':
      return (day.number - start.number) % interval === 0
    case 'WEEKLY':
      return (weekOf(day.number, weekStart) - weekOf(start.number, weekStart)) % interval === 0
    case 'MONTHLY':
      return ((day.year - start.year) * 12 + day.month - start.month) % interval === 0
    case 'YEARLY':
      return (day.year - start.year) % interval === 0
  }
}

function fits(rule: RepeatRule, start: CalendarDay, day: CalendarDay): boolean {
  const { months, daysOfMonth, daysOfYear, weekdays } = rule
  if (months.length > 0 && !months.includes(day.month)) return false
  if (daysOfMonth.length > 0 && !isAmong(daysOfMonth, day.number, monthOf(day))) return false
  if (daysOfYear.length > 0 && !isAmong(daysOfYear, day.number, yearOf(day))) return false
  if (weekdays.length > 0) return fitsWeekday(rule, day)
  if (daysOfMonth.length > 0 || daysOfYear.length > 0) return true
  switch (rule.frequency) {
    case 'DAILY':
      return true
    case 'WEEKLY':
      return day.weekday === start.weekday
    case 'MONTHLY':
      return day.day === start.day
    case 'YEARLY':
      return day.day === start.day && (months.length > 0 || day.month === start.month)
  }
}

/** Counted from the first day of the span, or from its last one, which is -1. */
function isAmong(list: readonly number[], number: number, [first, end]: readonly [number, number]): boolean {
  return list.includes(number - first + 1) || list.includes(number - end)
}

function fitsWeekday({ weekdays, frequency, months }: RepeatRule, day: CalendarDay): boolean {
  return weekdays.some(({ weekday, position }) => {
    if (weekday !== day.weekday) return false
    if (position === 0) return true
    const [first, end] = frequency === 'YEARLY' && months.length === 0 ? yearOf(day) : monthOf(day)
    const place = position > 0 ? Math.floor((day.number - first) / 7) + 1 : -Math.floor((end - 1 - day.number) / 7) - 1
    return place === position
  })
}

function isAtPosition(rule: RepeatRule, start: CalendarDay, day: CalendarDay): boolean {
  const [first, end] = periodOf(rule, day)
  const days = Array.from({ length: end - first }, (_, index) => first + index)
  const fitting = days.filter((number) => fits(rule, start, calendarDay(number)))
  const index = fitting.indexOf(day.number)
  return rule.positions.includes(index + 1) || rule.positions.includes(index - fitting.length)
}

function periodOf({ frequency, weekStart }: RepeatRule, day: CalendarDay): readonly [number, number] {
  switch (frequency) {
    case 'DAILY':
      return [day.number, day.number + 1]
    case 'WEEKLY': {
      const first = weekOf(day.number, weekStart) * 7 - 4 + weekStart
      return [first, first + 7]
    }
    case 'MONTHLY':
      return monthOf(day)
    case 'YEARLY':
      return yearOf(day)
  }
}

/** Steps that are left for walking from day to day, shared by all rules of a calendar. */
export interface Steps {
  left: number
}

/** No walk goes further: 1 January 2100. */
export const LAST_DAY = dayNumber(2100, 1, 1)

/** The days from `from` on at which the event begins, in order; ends early where the steps run out. */
export function* walkDays(rule: RepeatRule, start: CalendarDay, from: number, steps: Steps): Generator<number> {
  const months =
    rule.months.length > 0
      ? rule.months
      : rule.frequency === 'YEARLY' && rule.weekdays.length + rule.daysOfMonth.length + rule.daysOfYear.length === 0
        ? [start.month]
        : undefined
  for (let number = Math.max(from, start.number); number < LAST_DAY && steps.left > 0; number += 1) {
    steps.left -= rule.positions.length > 0 ? weightOf(rule) : 1
    const day = calendarDay(number)
    if (months && !months.includes(day.month) && number > start.number) number = monthOf(day)[1] - 1
    else if (repeatsOn(rule, start, number)) yield number
  }
}

/** What it costs to judge one day, in days. */
export function weightOf({ positions, frequency }: RepeatRule): number {
  if (positions.length === 0) return 1
  return { DAILY: 2, WEEKLY: 8, MONTHLY: 32, YEARLY: 367 }[frequency]
}
