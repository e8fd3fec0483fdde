import type { Exclusion } from '../exclusions.ts'
import { startOfDay } from '../exclusions.ts'
import { DAY, dayOf, SECOND, type Wall } from '../wall.ts'
import type { Zone } from '../zone.ts'
import { calendarDay, LAST_DAY, repeatsOn, type Steps, walkDays, weightOf } from './repeat-days.ts'
import type { RepeatRule } from './repeat-rule.ts'

/** A VEVENT that takes time away from a schedule. */
export interface CalendarEvent {
  readonly summary: string
  readonly allDay: boolean
  /** On the clocks of `zone`; of an all-day event the beginning of its first day. */
  readonly start: Wall
  /** Milliseconds that pass; of an all-day event whole days. */
  readonly length: number
  /** The zone of the event; that of the schedule for floating times and all-day events. */
  readonly zone: Zone
  readonly rule: RepeatRule | undefined
  /** Further beginnings. */
  readonly added: readonly Wall[]
  /** Beginnings that are taken back, by time and by day. */
  readonly removed: Set<Wall>
  readonly removedDays: Set<number>
}

/** The event that takes an instant, ready to be asked. */
export type EventTest = (instant: number) => Exclusion | undefined

export function testEvent(event: CalendarEvent, lastDay: number): EventTest {
  const { rule, zone, allDay, start, length } = event
  const first = calendarDay(dayOf(start))
  const timeOfDay = start - first.number * DAY
  const daysBack = daysBackOf(event)

  /** The end of the event that begins then, where it holds the instant. */
  function endOf(wall: Wall, instant: number): number | undefined {
    if (event.removed.has(wall) || event.removedDays.has(dayOf(wall))) return undefined
    const begin = beginOf(wall)
    const end = allDay ? startOfDay(dayOf(wall) + Math.round(length / DAY), zone) : begin + length
    return instant >= begin && instant < end ? end : undefined
  }

  function beginOf(wall: Wall): number {
    return allDay ? startOfDay(dayOf(wall), zone) : zone.firstInstantOf(wall)
  }

  function begins(day: number): boolean {
    if (!rule || day > lastDay) return day === first.number
    if (rule.until && day > first.number) {
      const wall = day * DAY + timeOfDay
      if ((rule.until.utc && !allDay ? beginOf(wall) : wall) > rule.until.wall) return false
    }
    return repeatsOn(rule, first, day)
  }

  return (instant) => {
    const today = dayOf(instant + zone.offsetAt(instant))
    for (let day = rule ? today : first.number; day >= first.number && day >= today - daysBack; day -= 1) {
      if (!begins(day)) continue
      const end = endOf(day * DAY + timeOfDay, instant)
      if (end !== undefined) return { by: event.summary, until: end }
    }
    for (const wall of event.added) {
      const end = wall <= today * DAY + DAY ? endOf(wall, instant) : undefined
      if (end !== undefined) return { by: event.summary, until: end }
    }
    return undefined
  }
}

/** The last day on which an event with COUNT begins; undefined where the steps do not suffice to say. */
export function lastDayOf({ rule, start }: CalendarEvent, steps: Steps): number | undefined {
  const first = calendarDay(dayOf(start))
  if (rule?.count === undefined || rule.count > LAST_DAY - first.number) return Number.POSITIVE_INFINITY
  let [left, last] = [rule.count, first.number]
  for (const day of walkDays(rule, first, first.number, steps)) {
    last = day
    left -= 1
    if (left === 0) return last
  }
  return steps.left > 0 ? Number.POSITIVE_INFINITY : undefined
}

/** How many days before an instant an event may have begun that still holds it. */
function daysBackOf({ length, allDay }: CalendarEvent): number {
  return Math.ceil(length / DAY) + (allDay ? -1 : 1)
}

/** What one question costs at most, in days that are judged. */
export function costOf(event: CalendarEvent): number {
  const { rule, added } = event
  return (rule ? (daysBackOf(event) + 1) * weightOf(rule) : 0) + added.length / 10
}

/** An event without an end takes the second at which it begins, as fires lie on whole seconds. */
export const MOMENT = SECOND
