import { readWall } from './wall.ts'
import type { Zone } from './zone.ts'

export type InstantReading =
  | {
      readonly ok: true
      readonly at: Date /** The zone skips the local time; the instant is the next valid one. */
      readonly shifted: boolean
    }
  | { readonly ok: false; readonly message: string }

const FORM = /^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:\d{2})?$/

/**
 * The instant of a `run_at`: RFC 3339. Without an offset it is local time of the zone: a time that a change skips is the
 * first valid instant after it, a repeated one is the first.
 */
export function readRunAt(text: string, zone: Zone): InstantReading {
  const [, time, offset] = FORM.exec(text) ?? []
  const wall = time === undefined ? undefined : readWall(time)
  if (wall === undefined) {
    return refuse(
      `"${text.slice(0, 40)}" is no time: write 2026-12-24T08:00:00+01:00, or 2026-12-24T08:00:00 for local time of the zone.`,
    )
  }
  if (offset === undefined) {
    return { ok: true, at: new Date(zone.firstInstantOf(wall)), shifted: zone.instantsOf(wall).kind === 'skipped' }
  }
  const size = readOffset(offset)
  if (size === undefined) return refuse(`The offset ${offset} does not exist: write one from -23:59 to +23:59, or Z.`)
  return { ok: true, at: new Date(wall - size), shifted: false }
}

function readOffset(text: string): number | undefined {
  if (/^z$/i.test(text)) return 0
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(4, 6))]
  if (hours > 23 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

function refuse(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}
