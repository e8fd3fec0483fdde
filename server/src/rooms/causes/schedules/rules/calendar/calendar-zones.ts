import { readWall, SECOND } from '../wall.ts'
import { makeZone, readZone, type Zone } from '../zone.ts'
import { type CalendarFault, type Component, findProperties, findProperty } from './components.ts'
import { calendarDay, type Steps, walkDays } from './repeat-days.ts'
import { readRepeatRule } from './repeat-rule.ts'

/** The zone of a TZID; undefined where nobody knows it. */
export type FindZone = (tzid: string) => Zone | undefined

export interface CalendarZones {
  readonly find: FindZone
  readonly faults: readonly CalendarFault[]
}

/** From an instant on, the zone has the offset. */
interface Onset {
  readonly at: number
  readonly offset: number
}

/** Earlier changes matter to nobody. */
const FIRST_DAY = 0

/** Zones by their TZID: those of the IANA database by their name, others by the VTIMEZONE that the calendar brings. */
export function readCalendarZones(calendars: readonly Component[], steps: Steps): CalendarZones {
  const brought = new Map<string, Zone>()
  const faults: CalendarFault[] = []
  for (const component of calendars
    .flatMap(({ components }) => components)
    .filter(({ name }) => name === 'VTIMEZONE')) {
    const tzid = String(findProperty(component, 'tzid')?.values[0] ?? '')
    if (tzid === '' || readZone(tzid) || brought.has(tzid)) continue
    const onsets: Onset[] = []
    for (const observance of component.components) {
      const read = readObservance(observance, steps)
      if ('message' in read) faults.push(read)
      else onsets.push(...read)
    }
    onsets.sort((a, b) => a.at - b.at)
    brought.set(
      tzid,
      makeZone(tzid, (instant) => offsetAt(onsets, instant)),
    )
  }
  return { find: (tzid) => readZone(tzid) ?? brought.get(tzid), faults }
}

function offsetAt(onsets: readonly Onset[], instant: number): number {
  let [low, high] = [0, onsets.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((onsets[middle]?.at ?? 0) <= instant) low = middle + 1
    else high = middle
  }
  return (onsets[low - 1] ?? onsets[0])?.offset ?? 0
}

function readObservance(observance: Component, steps: Steps): readonly Onset[] | CalendarFault {
  const { line } = observance
  const start = readWall(String(findProperty(observance, 'dtstart')?.values[0] ?? ''))
  const from = readOffset(findProperty(observance, 'tzoffsetfrom')?.values[0])
  const offset = readOffset(findProperty(observance, 'tzoffsetto')?.values[0])
  if (start === undefined || from === undefined || offset === undefined) {
    return { line, message: 'A part of a time zone needs DTSTART, TZOFFSETFROM and TZOFFSETTO.' }
  }
  const walls = [start]
  for (const value of findProperties(observance, 'rdate').flatMap(({ values }) => values)) {
    const wall = readWall(String(value))
    if (wall !== undefined) walls.push(wall)
  }
  const repeated = findProperty(observance, 'rrule')
  if (repeated) {
    const rule = readRepeatRule(repeated.values[0])
    if (typeof rule === 'string') return { line: repeated.line, message: rule }
    const first = calendarDay(Math.floor(start / 86_400_000))
    const timeOfDay = start - first.number * 86_400_000
    for (const day of walkDays(rule, first, FIRST_DAY, steps)) {
      const wall = day * 86_400_000 + timeOfDay
      if (rule.until && wall - (rule.until.utc ? from : 0) > rule.until.wall) break
      walls.push(wall)
    }
    if (steps.left <= 0)
      return { line, message: 'The time zones of the calendar take too long to read: use names of the IANA database.' }
  }
  return walls.map((wall) => ({ at: wall - from, offset }))
}

function readOffset(value: unknown): number | undefined {
  const match = /^([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?$/.exec(String(value))
  if (!match) return undefined
  const size = (Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)) * SECOND
  return Math.abs(size) > 24 * 3600 * SECOND ? undefined : match[1] === '-' ? -size : size
}
