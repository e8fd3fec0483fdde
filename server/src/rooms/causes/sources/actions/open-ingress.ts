import type { FreshCopy } from '#platform/database'
import { createRateLimiter, type RateLimiter } from '#platform/http'
import type { Kit } from '#platform/room'
import type { SourceNeeds } from '../index.ts'
import { createSourceMetrics, type SourceMetrics } from '../metrics.ts'
import type { Source } from '../rules/index.ts'
import { type Committer, createCommitter, type DeliveryEntry } from './commit-deliveries.ts'
import { keepSources, type SourceBook } from './keep-sources.ts'

/** What all deliveries of one process share. */
export interface Ingress {
  readonly needs: SourceNeeds
  readonly book: FreshCopy<SourceBook>
  readonly committer: Committer
  readonly rates: SourceRates
  readonly refusals: RefusalLimit
  readonly metrics: SourceMetrics
  /** Stores what its sender need not wait for: a second at most, and never with an error. */
  storeSoon(entry: DeliveryEntry): Promise<void>
}

const SOON_MS = 1000

export function openIngress(kit: Kit, needs: SourceNeeds): Ingress {
  const committer = createCommitter(kit, needs)
  return {
    needs,
    book: keepSources(kit, needs),
    committer,
    rates: createSourceRates(kit),
    refusals: createRefusalLimit(kit),
    metrics: createSourceMetrics(kit.metrics),
    async storeSoon(entry) {
      const stored = committer.commit(entry).then(
        () => undefined,
        (error: Error) => kit.log.debug({ err: error.message }, 'a refused delivery was not recorded'),
      )
      const enough = new AbortController()
      await Promise.race([stored, kit.clock.sleep(SOON_MS, enough.signal)])
      enough.abort()
    },
  }
}

/** Verified deliveries per minute of each source. */
export interface SourceRates {
  take(source: Pick<Source, 'id' | 'ratePerMinute'>): ReturnType<RateLimiter['take']>
}

const MAX_SOURCES = 100_000

/** One limiter for each rate in use: a source whose rate is changed begins anew with its new one. */
function createSourceRates(kit: Kit): SourceRates {
  const byRate = new Map<number, RateLimiter>()
  return {
    take({ id, ratePerMinute }) {
      let limiter = byRate.get(ratePerMinute)
      if (!limiter) {
        const options = { perMinute: ratePerMinute, burst: ratePerMinute, maxKeys: MAX_SOURCES, clock: kit.clock }
        limiter = createRateLimiter(options)
        byRate.set(ratePerMinute, limiter)
      }
      return limiter.take(id)
    },
  }
}

/** How many refused deliveries are recorded one by one: a flood of forgeries must not fill the table. */
export interface RefusalLimit {
  admit(sourceId: string, address: string): { readonly ok: false } | { readonly ok: true; readonly unrecorded: number }
}

const PER_SOURCE = 120
const PER_ADDRESS = 60
const MAX_KEYS = 10_000

/** The next one that is recorded says how many before it were not. */
function createRefusalLimit(kit: Kit): RefusalLimit {
  const limit = (perMinute: number): RateLimiter =>
    createRateLimiter({ perMinute, burst: perMinute, maxKeys: MAX_KEYS, clock: kit.clock })
  const sources = limit(PER_SOURCE)
  const addresses = limit(PER_ADDRESS)
  const unrecorded = new Map<string, number>()
  return {
    admit(sourceId, address) {
      const admitted = addresses.take(`${sourceId} ${address}`).ok && sources.take(sourceId).ok
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
