import ICAL from 'ical.js'

/** What is wrong with a calendar, and in which line, counted from 1. */
export interface CalendarFault {
  readonly line: number
  readonly message: string
}

/** A property of a component, such as `DTSTART;TZID=Europe/Berlin:20261224T080000`, with its values in the forms of jCal. */
export interface Property {
  readonly line: number
  readonly name: string
  readonly tzid: string | undefined
  readonly type: string
  readonly values: readonly unknown[]
}

export interface Component {
  readonly line: number
  readonly name: string
  readonly properties: Property[]
  readonly components: Component[]
}

export type ComponentsReading =
  | { readonly ok: true; readonly calendars: readonly Component[] }
  | { readonly ok: false; readonly faults: readonly CalendarFault[] }

/** What is read of each component. All else, such as descriptions and guests, is passed over unread. */
const READ: Readonly<Record<string, readonly string[]>> = {
  VEVENT: [
    'DTSTART',
    'DTEND',
    'DURATION',
    'RRULE',
    'RDATE',
    'EXDATE',
    'EXRULE',
    'RECURRENCE-ID',
    'SUMMARY',
    'STATUS',
    'UID',
  ],
  VTIMEZONE: ['TZID'],
  STANDARD: ['DTSTART', 'RRULE', 'RDATE', 'TZOFFSETFROM', 'TZOFFSETTO'],
  DAYLIGHT: ['DTSTART', 'RRULE', 'RDATE', 'TZOFFSETFROM', 'TZOFFSETTO'],
}
const MAX_DEPTH = 6
const MAX_FAULTS = 20

/** The components of an ICS text. ical.js reads each property by itself, so that a fault has its line. */
export function readComponents(text: string): ComponentsReading {
  const faults: CalendarFault[] = []
  const root: Component = { line: 1, name: '', properties: [], components: [] }
  const open = [root]
  for (const { line, content } of unfold(text)) {
    if (faults.length >= MAX_FAULTS) break
    const [, name = ''] = /^([\w-]+)\s*[:;]/.exec(content) ?? []
    const inside = open.at(-1) ?? root
    switch (name.toUpperCase()) {
      case '':
        faults.push({ line, message: 'This is no property: write NAME:value.' })
        break
      case 'BEGIN': {
        const begun: Component = { line, name: valueOf(content), properties: [], components: [] }
        if (open.length > MAX_DEPTH)
          return { ok: false, faults: [{ line, message: 'Components lie too deep in each other.' }] }
        inside.components.push(begun)
        open.push(begun)
        break
      }
      case 'END':
        if (inside === root || valueOf(content) !== inside.name) {
          const message =
            inside === root
              ? 'Nothing is open that could end here.'
              : `${inside.name} of line ${inside.line} must end first.`
          return { ok: false, faults: [...faults, { line, message }] }
        }
        open.pop()
        break
      default: {
        const read = READ[inside.name]?.includes(name.toUpperCase()) ? readProperty(line, content) : undefined
        if (read && 'message' in read) faults.push(read)
        else if (read) inside.properties.push(read)
      }
    }
  }
  const unended = open.at(-1)
  if (unended && unended !== root)
    faults.push({ line: unended.line, message: `${unended.name.slice(0, 40)} has no end.` })
  const calendars = root.components.filter(({ name }) => name === 'VCALENDAR')
  if (faults.length === 0 && calendars.length === 0)
    faults.push({ line: 1, message: 'There is no VCALENDAR in the text.' })
  return faults.length > 0 ? { ok: false, faults } : { ok: true, calendars }
}

function valueOf(content: string): string {
  return content
    .slice(content.indexOf(':') + 1)
    .trim()
    .toUpperCase()
}

interface ContentLine {
  readonly line: number
  readonly content: string
}

/** A line that begins with a blank goes on where the one before it ended. */
function unfold(text: string): readonly ContentLine[] {
  const lines: { line: number; parts: string[] }[] = []
  for (const [index, content] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const before = lines.at(-1)
    if (/^[ \t]/.test(content) && before) before.parts.push(content.slice(1))
    else if (content.trim() !== '') lines.push({ line: index + 1, parts: [content] })
  }
  return lines.map(({ line, parts }) => ({ line, content: parts.join('') }))
}

function readProperty(line: number, content: string): Property | CalendarFault {
  let read: unknown
  try {
    read = ICAL.parse.property(content)
  } catch (error) {
    const said = error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'
    return { line, message: `${content.slice(0, 40)}: ${said}.` }
  }
  if (!Array.isArray(read)) return { line, message: `${content.slice(0, 40)}: this cannot be read.` }
  const [name, parameters, type, ...values]: readonly unknown[] = read
  const tzid: unknown = Object(parameters).tzid
  return { line, name: String(name), tzid: typeof tzid === 'string' ? tzid : undefined, type: String(type), values }
}

export function findProperty(component: Component, name: string): Property | undefined {
  return component.properties.find((property) => property.name === name)
}

export function findProperties(component: Component, name: string): readonly Property[] {
  return component.properties.filter((property) => property.name === name)
}
