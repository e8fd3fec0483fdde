import type { Excluder, Exclusion } from '../exclusions.ts'
import { DAY, dayOf, readWall, type Wall } from '../wall.ts'
import type { Zone } from '../zone.ts'
import { type CalendarEvent, costOf, lastDayOf, MOMENT, testEvent } from './calendar-event.ts'
import { type FindZone, readCalendarZones } from './calendar-zones.ts'
import {
  type CalendarFault,
  type Component,
  findProperties,
  findProperty,
  type Property,
  readComponents,
} from './components.ts'
import { readLength } from './event-length.ts'
import { readRepeatRule } from './repeat-rule.ts'

export const MAX_CALENDAR_BYTES = 65_536
export const MAX_EVENTS = 1000
/** What one question may cost, in days that are judged: each takes a fraction of a microsecond. */
const MAX_COST = 1500
/** Days that reading a calendar may walk through, for COUNT and for time zones. */
const MAX_STEPS = 100_000

export type CalendarReading =
  | { readonly ok: true; readonly excluder: Excluder }
  | { readonly ok: false; readonly faults: readonly CalendarFault[] }

/**
 * The instants that the events of an ICS text take. An all-day event takes its local dates of the zone, a timed one the time
 * from DTSTART until before DTEND. What is cancelled takes nothing; whether it shows as busy (TRANSP) does not matter.
 */
export function readCalendar(text: string, zone: Zone): CalendarReading {
  if (text.length > MAX_CALENDAR_BYTES || new TextEncoder().encode(text).length > MAX_CALENDAR_BYTES) {
    return refuse({ line: 1, message: `The calendar is larger than ${MAX_CALENDAR_BYTES / 1024} KiB.` })
  }
  const read = readComponents(text)
  if (!read.ok) return read
  const steps = { left: MAX_STEPS }
  const zones = readCalendarZones(read.calendars, steps)
  const components = read.calendars.flatMap((each) => each.components).filter(({ name }) => name === 'VEVENT')
  const over = components[MAX_EVENTS]
  if (over) return refuse({ line: over.line, message: `At most ${MAX_EVENTS} events are taken.` })
  const results = components.map((component) => readEvent(component, zone, zones.find))
  const faults = [...zones.faults]
  const readable: ReadEvent[] = []
  for (const result of results) {
    if ('message' in result) faults.push(result)
    else readable.push(result)
  }
  if (faults.length > 0) return { ok: false, faults: faults.slice(0, 20) }
  const events = applyChanges(readable)

  const tests: ((instant: number) => Exclusion | undefined)[] = []
  let cost = 0
  for (const { event, line } of events) {
    cost += costOf(event)
    if (cost > MAX_COST) return refuse({ line, message: 'Too many long events repeat: write fewer or shorter ones.' })
    const lastDay = lastDayOf(event, steps)
    if (lastDay === undefined)
      return refuse({ line, message: 'Counting repetitions takes too long: write UNTIL instead of COUNT.' })
    tests.push(testEvent(event, lastDay))
  }
  return {
    ok: true,
    excluder(instant) {
      for (const find of tests) {
        const found = find(instant)
        if (found) return found
      }
      return undefined
    },
  }
}

function refuse(fault: CalendarFault): { readonly ok: false; readonly faults: readonly CalendarFault[] } {
  return { ok: false, faults: [fault] }
}

interface ReadEvent {
  readonly event: CalendarEvent
  readonly line: number
  readonly uid: string
  readonly cancelled: boolean
  /** The beginning that this event replaces. */
  readonly replaces: Wall | undefined
}

/** An event with RECURRENCE-ID stands in for one beginning of the event with its UID. */
function applyChanges(events: readonly ReadEvent[]): readonly ReadEvent[] {
  const series = new Map(
    events.flatMap((each) => (each.replaces === undefined ? [[each.uid, each.event] as const] : [])),
  )
  for (const { uid, replaces } of events) {
    if (replaces !== undefined) series.get(uid)?.removed.add(replaces)
  }
  return events.filter(({ cancelled }) => !cancelled)
}

function readEvent(component: Component, scheduleZone: Zone, findZone: FindZone): ReadEvent | CalendarFault {
  const begin = findProperty(component, 'dtstart')
  if (!begin) return { line: component.line, message: 'The event has no DTSTART.' }
  const [start] = readTimes(begin, scheduleZone, findZone)
  if (start === undefined) return unreadable(begin)
  const { zone, allDay } = start
  const length = readLength(component, start, (property) => readTimes(property, zone, findZone)[0]?.wall)
  if (typeof length !== 'number') return length
  const repeated = findProperty(component, 'rrule')
  const rule = repeated && readRepeatRule(repeated.values[0])
  if (typeof rule === 'string') return { line: repeated?.line ?? component.line, message: rule }
  const old = findProperty(component, 'exrule')
  if (old) return { line: old.line, message: 'EXRULE is not supported: write EXDATE.' }
  const lists: Record<'rdate' | 'exdate' | 'recurrence-id', TimeOnClock[]> = {
    rdate: [],
    exdate: [],
    'recurrence-id': [],
  }
  for (const name of ['rdate', 'exdate', 'recurrence-id'] as const) {
    for (const property of findProperties(component, name)) {
      const times = readTimes(property, zone, findZone)
      if (times.length < property.values.length) return unreadable(property)
      lists[name].push(...times)
    }
  }
  return {
    line: component.line,
    uid: textOf(component, 'uid'),
    cancelled: textOf(component, 'status').toUpperCase() === 'CANCELLED',
    replaces: lists['recurrence-id'][0]?.wall,
    event: {
      summary: textOf(component, 'summary').slice(0, 200) || 'an event without a name',
      allDay,
      start: start.wall,
      length: length === 0 ? MOMENT : length,
      zone,
      rule,
      added: lists.rdate.map(({ wall }) => wall),
      removed: new Set(lists.exdate.map(({ wall }) => wall)),
      removedDays: new Set(lists.exdate.filter((time) => time.allDay).map(({ wall }) => dayOf(wall))),
    },
  }
}

export interface TimeOnClock {
  /** On the clocks of `zone`. */
  readonly wall: Wall
  readonly zone: Zone
  readonly allDay: boolean
}

/** Dates and times of a property, on the clocks of their own zone at DTSTART and of the event's zone elsewhere. */
function readTimes(property: Property, zone: Zone, findZone: FindZone): readonly TimeOnClock[] {
  return property.values.flatMap((value): TimeOnClock[] => {
    const text = String(value)
    const own = text.endsWith('Z') ? findZone('UTC') : property.tzid === undefined ? zone : findZone(property.tzid)
    const wall = readWall(text.replace(/Z$/, ''))
    if (!own || wall === undefined || !/^date(-time)?$/.test(property.type)) return []
    if (property.type === 'date') return wall % DAY === 0 ? [{ wall, zone, allDay: true }] : []
    if (property.name === 'dtstart' || own === zone) return [{ wall, zone: own, allDay: false }]
    const at = own.firstInstantOf(wall)
    return [{ wall: at + zone.offsetAt(at), zone, allDay: false }]
  })
}

function unreadable({ line, name, tzid, values }: Property): CalendarFault {
  const where = tzid === undefined ? '' : `, or the time zone "${tzid.slice(0, 60)}" is not known`
  return {
    line,
    message: `${name.toUpperCase()} "${String(values[0]).slice(0, 40)}" is no date and no time that can be read${where}.`,
  }
}

function textOf(component: Component, name: string): string {
  return String(findProperty(component, name)?.values[0] ?? '').trim()
}
