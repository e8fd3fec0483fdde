import ICAL from 'ical.js'
import { DAY, SECOND, type Wall } from '../wall.ts'
import type { Zone } from '../zone.ts'
import { type CalendarFault, type Component, findProperty, type Property } from './components.ts'

export interface EventStart {
  readonly wall: Wall
  readonly zone: Zone
  readonly allDay: boolean
}

/** An event may be as long as this; what is longer is no event. */
const MAX_LENGTH = 3660 * DAY

/**
 * Milliseconds from the beginning of an event to its end, or what is wrong. An all-day event without an end lasts its day;
 * a timed one is a moment, as length 0.
 */
export function readLength(
  component: Component,
  start: EventStart,
  readEnd: (property: Property) => Wall | undefined,
): number | CalendarFault {
  const end = findProperty(component, 'dtend')
  const duration = findProperty(component, 'duration')
  const property = end ?? duration
  if (!property) return start.allDay ? DAY : 0
  const length = end ? lengthTo(readEnd(end), start) : readDuration(property.values[0])
  if (length === undefined) return { line: property.line, message: `${property.name.toUpperCase()} cannot be read.` }
  if (length < 0) return { line: property.line, message: 'The event ends before it begins.' }
  if (length > MAX_LENGTH) return { line: property.line, message: 'The event lasts longer than ten years.' }
  return start.allDay ? Math.max(DAY, Math.ceil(length / DAY) * DAY) : length
}

function lengthTo(end: Wall | undefined, { wall, zone, allDay }: EventStart): number | undefined {
  if (end === undefined) return undefined
  if (allDay) return end - wall
  return zone.firstInstantOf(end) - zone.firstInstantOf(wall)
}

function readDuration(value: unknown): number | undefined {
  try {
    return ICAL.Duration.fromString(String(value)).toSeconds() * SECOND
  } catch {
    return undefined
  }
}
