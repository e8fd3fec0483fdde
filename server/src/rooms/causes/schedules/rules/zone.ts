import { DAY, SECOND, type Wall } from './wall.ts'

/** The offset of a zone changes at the instant: a gap in local times where it grows, a repetition where it shrinks. */
export interface Change {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** The instants of a local time: one; none, as the change skips it; or two, as the change repeats it. */
export type Instants =
  | { readonly kind: 'one'; readonly at: number }
  | { readonly kind: 'skipped'; readonly change: Change }
  | { readonly kind: 'two'; readonly first: number; readonly second: number; readonly change: Change }

export interface Zone {
  readonly name: string
  /** Milliseconds that the zone's clocks are ahead of UTC. */
  offsetAt(instant: number): number
  instantsOf(wall: Wall): Instants
  /** The first of its instants; where a change skips it, the first valid one after it. */
  firstInstantOf(wall: Wall): number
  /** The change that repeats the local time of the instant later on. */
  repetitionAhead(instant: number): Change | undefined
}

/** Zones that are kept, with their changes: more than there are names. */
const MAX_ZONES = 1000
const zones = new Map<string, Zone>()

/** A zone of the IANA database by its name, or undefined. Offsets such as `+02:00` are no zones. */
export function readZone(name: string): Zone | undefined {
  const known = zones.get(name)
  if (known) return known
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return undefined
  const read = readOffsets(name)
  if (!read) return undefined
  if (zones.size >= MAX_ZONES) zones.clear()
  const zone = makeZone(name, read)
  zones.set(name, zone)
  return zone
}

/** Changes are looked for in pieces of this length; each piece knows the days around it, too. */
const PIECE = 400 * DAY
/** No local time is further from UTC; and no change is greater than one day (Samoa, 2011-12-30). */
const MARGIN = 3 * DAY
/** Two changes that take each other back lie further apart than this, in every zone from 1970 to 2100. */
const STEP = 6 * DAY
const MAX_PIECES = 400

interface Piece {
  /** The offset at its beginning. */
  readonly offset: number
  readonly changes: readonly Change[]
}

/** A zone by its offsets: the changes are found once for each piece of time, then looked up. */
export function makeZone(name: string, read: (instant: number) => number): Zone {
  const pieces = new Map<number, Piece>()
  function pieceOf(time: number): Piece {
    const index = Math.floor(time / PIECE)
    const known = pieces.get(index)
    if (known) return known
    if (pieces.size >= MAX_PIECES) pieces.clear()
    const piece = findChanges(read, index * PIECE - MARGIN, (index + 1) * PIECE + MARGIN)
    pieces.set(index, piece)
    return piece
  }
  function instantsOf(wall: Wall): Instants {
    const { offset, changes } = pieceOf(wall)
    let current = offset
    for (const change of changes) {
      const { at, before, after } = change
      if (wall < at + Math.min(before, after)) break
      if (wall >= at + Math.max(before, after)) current = after
      else if (after > before) return { kind: 'skipped', change }
      else return { kind: 'two', first: wall - before, second: wall - after, change }
    }
    return { kind: 'one', at: wall - current }
  }
  return {
    name,
    offsetAt(instant) {
      const { offset, changes } = pieceOf(instant)
      return changes.reduce((current, change) => (instant >= change.at ? change.after : current), offset)
    },
    instantsOf,
    firstInstantOf(wall) {
      const instants = instantsOf(wall)
      switch (instants.kind) {
        case 'one':
          return instants.at
        case 'skipped':
          return instants.change.at
        case 'two':
          return instants.first
      }
    },
    repetitionAhead(instant) {
      return pieceOf(instant).changes.find(({ at, before, after }) => instant < at && instant >= at - (before - after))
    },
  }
}

function findChanges(read: (instant: number) => number, start: number, end: number): Piece {
  const changes: Change[] = []
  const first = read(start)
  let [from, before] = [start, first]
  for (let to = start + STEP; from < end; to += STEP) {
    const after = read(to)
    collectChanges(read, { from, before, to, after }, changes)
    ;[from, before] = [to, after]
  }
  return { offset: first, changes }
}

interface Span {
  readonly from: number
  readonly before: number
  readonly to: number
  readonly after: number
}

/** Halves the span until each change stands between two neighbouring seconds. */
function collectChanges(read: (instant: number) => number, { from, before, to, after }: Span, into: Change[]): void {
  if (before === after) return
  if (to - from <= SECOND) {
    into.push({ at: to, before, after })
    return
  }
  const middle = from + Math.floor((to - from) / 2 / SECOND) * SECOND
  const offset = read(middle)
  collectChanges(read, { from, before, to: middle, after: offset }, into)
  collectChanges(read, { from: middle, before: offset, to, after }, into)
}

const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/

/** The offsets of a zone as the runtime knows them; slow, about a microsecond each. */
function readOffsets(name: string): ((instant: number) => number) | undefined {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
  return (instant) => {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(format.format(instant)) ?? []
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * SECOND
    return sign === '-' ? -size : size
  }
}
