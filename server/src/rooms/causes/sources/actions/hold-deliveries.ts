import { createFairShares } from '#platform/http'
import type { Problem } from '#platform/problems'
import { sourceProblem } from '../errors.ts'

/** What is in hand, bounded in number and in bytes of payloads, and shared fairly between sources. */
export interface Hold {
  mayTake(sourceId: string): boolean
  /** False when it would be too much of the source; then nothing is taken. */
  take(sourceId: string, bytes: number): boolean
  giveBack(sourceId: string, bytes: number): void
}

/**
 * Of all sources together. Of these, one source may have as many in hand as are left for the others: alone it has a
 * thousand, which is what a slow machine stores in a second.
 */
const MAX_DELIVERIES = 2000
/** Shared in the same way: alone a source has 64 MiB, eight thousand ordinary payloads or two of the largest. */
const MAX_BYTES = 128 * 1024 * 1024

export function createHold(): Hold {
  const count = createFairShares(MAX_DELIVERIES)
  const size = createFairShares(MAX_BYTES)
  return {
    mayTake: (sourceId) => count.mayTake(sourceId, 1),
    take(sourceId, bytes) {
      if (!count.take(sourceId, 1)) return false
      if (size.take(sourceId, bytes)) return true
      count.giveBack(sourceId, 1)
      return false
    },
    giveBack(sourceId, bytes) {
      count.giveBack(sourceId, 1)
      size.giveBack(sourceId, bytes)
    },
  }
}

export function overloaded(): Problem {
  const detail = 'Too many deliveries of this source are in hand. Send it again.'
  return sourceProblem('delivery.overloaded', detail, { headers: { 'retry-after': '5' } })
}
