import { createRateLimiter, type RateLimiter } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Source } from '../rules/index.ts'

/** What one sender may do in a minute, by whom it says that it is and by whom it proves to be. */
export interface SenderLimits {
  /** Verified deliveries of a source. */
  takeRate(source: Pick<Source, 'id' | 'ratePerMinute'>): ReturnType<RateLimiter['take']>
  /** A delivery from this address that proved nothing, whichever source it named. */
  takeForgery(address: string): ReturnType<RateLimiter['take']>
  /** Whether a refused delivery is recorded by itself, and how many before it were not: a flood must not fill the table. */
  admitRecord(
    sourceId: string,
    address: string,
  ): { readonly ok: false } | { readonly ok: true; readonly unrecorded: number }
}

const MAX_SOURCES = 100_000
const MAX_KEYS = 10_000

/** As many as a source may send rightly by default. */
const FORGERIES_PER_ADDRESS = 600
const RECORDS_PER_SOURCE = 120
const RECORDS_PER_ADDRESS = 60

export function createSenderLimits(kit: Kit): SenderLimits {
  const limit = (perMinute: number, maxKeys: number): RateLimiter =>
    createRateLimiter({ perMinute, burst: perMinute, maxKeys, clock: kit.clock })
  // One limiter for each rate in use: a source whose rate is changed begins anew with its new one.
  const byRate = new Map<number, RateLimiter>()
  const forgeries = limit(FORGERIES_PER_ADDRESS, MAX_KEYS)
  const recordsOfSources = limit(RECORDS_PER_SOURCE, MAX_KEYS)
  const recordsOfAddresses = limit(RECORDS_PER_ADDRESS, MAX_KEYS)
  const unrecorded = new Map<string, number>()
  return {
    takeForgery: (address) => forgeries.take(address),
    takeRate({ id, ratePerMinute }) {
      let limiter = byRate.get(ratePerMinute)
      if (!limiter) {
        limiter = limit(ratePerMinute, MAX_SOURCES)
        byRate.set(ratePerMinute, limiter)
      }
      return limiter.take(id)
    },
    admitRecord(sourceId, address) {
      const admitted = recordsOfAddresses.take(`${sourceId} ${address}`).ok && recordsOfSources.take(sourceId).ok
      const before = unrecorded.get(sourceId) ?? 0
      if (!admitted) {
        if (unrecorded.size < MAX_KEYS) unrecorded.set(sourceId, before + 1)
        return { ok: false }
      }
      unrecorded.delete(sourceId)
      return { ok: true, unrecorded: before }
    },
  }
}
