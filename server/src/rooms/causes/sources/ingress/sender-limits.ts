import { createRateLimiter, networkOf, type RateLimiter } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Source } from '../rules/index.ts'

/**
 * The number of deliveries that one sender may send in a minute, counted by its claimed identity and by its proved one.
 */
export interface SenderLimits {
  /** Verified deliveries of a source. */
  takeRate(source: Source): ReturnType<RateLimiter['take']>
  /** A delivery from this address that proved nothing, whichever source it named. */
  takeForgery(address: string): ReturnType<RateLimiter['take']>
  /** Whether a refused delivery is recorded by itself: a flood must not fill the table. */
  admitRecord(sourceId: string, address: string): Admission
  /** Counts a delivery above the rate of its source apart: deliveries in a sender's name take nothing from it. */
  admitAboveRate(sourceId: string, bytes: number): Admission & { readonly payload: boolean }
}

/** Whether it is recorded, and then how many of the source before it were not. */
export type Admission = { readonly ok: false } | { readonly ok: true; readonly unrecorded: number }

const MAX_SOURCES = 100_000
const MAX_KEYS = 10_000

/** The default number of good deliveries that a source may send. */
const FORGERIES_PER_ADDRESS = 600
const RECORDS_PER_SOURCE = 120
const RECORDS_PER_ADDRESS = 60
/** Twice what a source may send by default; of their payloads so much, as the rate is there to keep the disk from filling. */
const ABOVE_RATE_RECORDS = 1200
const ABOVE_RATE_BYTES = 32 * 1024 * 1024

export function createSenderLimits(kit: Kit): SenderLimits {
  const limit = (perMinute: number, maxKeys: number): RateLimiter =>
    createRateLimiter({ perMinute, burst: perMinute, maxKeys, clock: kit.clock })
  // One limiter for each rate in use: a source whose rate is changed begins anew with its new one.
  const byRate = new Map<number, RateLimiter>()
  const forgeries = limit(FORGERIES_PER_ADDRESS, MAX_KEYS)
  const recordsOfSources = limit(RECORDS_PER_SOURCE, MAX_KEYS)
  const recordsOfAddresses = limit(RECORDS_PER_ADDRESS, MAX_KEYS)
  const recordsAboveRate = limit(ABOVE_RATE_RECORDS, MAX_SOURCES)
  const bytesAboveRate = limit(ABOVE_RATE_BYTES, MAX_SOURCES)
  const unrecorded = new Map<string, number>()

  function countUnrecorded(sourceId: string, recorded: boolean): Admission {
    const before = unrecorded.get(sourceId) ?? 0
    if (!recorded) {
      if (unrecorded.size < MAX_KEYS) unrecorded.set(sourceId, before + 1)
      return { ok: false }
    }
    unrecorded.delete(sourceId)
    return { ok: true, unrecorded: before }
  }

  return {
    takeForgery: (address) => forgeries.take(networkOf(address)),
    takeRate({ id, rateLimitPerMinute }) {
      let limiter = byRate.get(rateLimitPerMinute)
      if (!limiter) {
        limiter = limit(rateLimitPerMinute, MAX_SOURCES)
        byRate.set(rateLimitPerMinute, limiter)
      }
      return limiter.take(id)
    },
    admitRecord(sourceId, address) {
      const recorded =
        recordsOfAddresses.take(`${sourceId} ${networkOf(address)}`).ok && recordsOfSources.take(sourceId).ok
      return countUnrecorded(sourceId, recorded)
    },
    admitAboveRate(sourceId, bytes) {
      const recorded = recordsAboveRate.take(sourceId).ok
      return { ...countUnrecorded(sourceId, recorded), payload: recorded && bytesAboveRate.take(sourceId, bytes).ok }
    },
  }
}
