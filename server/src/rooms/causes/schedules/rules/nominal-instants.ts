import type { CronRule } from './cron.ts'
import { SECOND, type Wall } from './wall.ts'
import type { Zone } from './zone.ts'

/** What becomes of a local time that occurs twice. */
export type DstPolicy = 'once' | 'skip' | 'both'

/** What a change of the zone's offset did to an occurrence. */
export type DstMark = 'shifted' | 'first_of_two' | 'second_of_two'

/** An instant that the expression names, before spread. */
export interface Nominal {
  readonly at: number
  readonly mark: DstMark | undefined
}

/** The first nominal instant after the given one; undefined: never again. */
export type NextNominal = (after: number) => Nominal | undefined

/** More local times that name no instant do not follow each other: a repeated time is left by a jump. */
const MAX_STEPS = 100

/**
 * The expression is matched against local wall-clock times; the zone maps each to instants. Local order is the order of
 * instants but where a change repeats local times: before such a change both of its passes are looked into.
 */
export function followExpression(rule: CronRule, zone: Zone, policy: DstPolicy): NextNominal {
  const both = policy === 'both' || (policy === 'once' && rule.everyHour)

  /** The first instant after `after` of a matching local time after `wall`. */
  function firstFrom(wall: Wall, after: number): Nominal | undefined {
    let from = wall
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const match = rule.nextWall(from)
      if (match === undefined) return undefined
      const instants = zone.instantsOf(match)
      switch (instants.kind) {
        case 'one':
          if (instants.at > after) return { at: instants.at, mark: undefined }
          from = match
          break
        case 'skipped': {
          const { at, after: offset } = instants.change
          const there = at + offset
          if (at > after) return { at, mark: rule.nextWall(there - 1) === there ? undefined : 'shifted' }
          from = there - 1
          break
        }
        case 'two': {
          const { first, second, change } = instants
          if (policy !== 'skip' && first > after) return { at: first, mark: 'first_of_two' }
          if (both && second > after) return { at: second, mark: 'second_of_two' }
          from = both ? match : change.at + change.before - 1
          break
        }
      }
    }
    return undefined
  }

  return (after) => {
    const direct = firstFrom(after + zone.offsetAt(after), after)
    const change = both ? zone.repetitionAhead(after) : undefined
    if (!change || (direct && direct.at < change.at)) return direct
    return firstFrom(change.at + change.after - SECOND, change.at - SECOND)
  }
}

/** A one-time schedule names one instant. */
export function followInstant(at: number, shifted: boolean): NextNominal {
  return (after) => (at > after ? { at, mark: shifted ? 'shifted' : undefined } : undefined)
}
