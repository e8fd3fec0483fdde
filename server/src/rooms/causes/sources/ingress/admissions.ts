import { createFairShares } from '#platform/http'
import type { Problem } from '#platform/problems'
import { sourceProblem } from '../errors.ts'

/** The place of one delivery among all that are in hand: it counts once, with the bytes of its body. */
export interface Ticket {
  /** Somebody else needs the place too, until the function that is answered is called. */
  retain(): () => void
  /** The place is free once no holder retains it. Called again it does nothing. */
  giveBack(): void
}

/** The deliveries in hand, bounded in number and in bytes, and shared fairly between sources. */
export interface Admissions {
  /** Throws the problem with which `take` would throw now, whatever the size of the body. */
  requireCapacity(sourceId: string): void
  /** Throws `delivery.overloaded` where it would be too much of the source; then nothing is taken. */
  take(sourceId: string, bytes: number): Ticket
}

/**
 * Of all sources together. One source may have as many in hand as are left for the others. A source alone has a
 * thousand, which a slow machine stores in a second.
 */
const MAX_DELIVERIES = 2000
/** Shared in the same way: alone a source has 64 MiB, eight thousand ordinary payloads or two of the largest. */
const MAX_BYTES = 128 * 1024 * 1024
/**
 * The part of a source's share that large bodies leave to ordinary ones. Anybody can send large bodies, and they wait
 * for one another before they are verified.
 */
const LEFT_BY_LARGE = 2 * 1024 * 1024

/** Bodies of `largeBytes` and above are large. */
export function createAdmissions(largeBytes: number): Admissions {
  const count = createFairShares(MAX_DELIVERIES)
  const size = createFairShares(MAX_BYTES)

  function mayTake(sourceId: string, bytes: number): boolean {
    return count.mayTake(sourceId, 1) && size.mayTake(sourceId, bytes < largeBytes ? bytes : bytes + LEFT_BY_LARGE)
  }

  return {
    requireCapacity(sourceId) {
      if (!count.mayTake(sourceId, 1)) throw overloaded()
    },
    take(sourceId, bytes) {
      if (!mayTake(sourceId, bytes)) throw overloaded()
      count.take(sourceId, 1)
      size.take(sourceId, bytes)
      let holders = 0
      const retain = (): (() => void) => {
        let released = false
        holders += 1
        return () => {
          if (released) return
          released = true
          holders -= 1
          if (holders > 0) return
          count.giveBack(sourceId, 1)
          size.giveBack(sourceId, bytes)
        }
      }
      return { retain, giveBack: retain() }
    },
  }
}

export function overloaded(): Problem {
  const detail = 'Too many deliveries of this source are in hand. Send it again.'
  return sourceProblem('delivery.overloaded', detail, { headers: { 'retry-after': '5' } })
}
