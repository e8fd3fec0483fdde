import { createAddressLimiter, createRateLimiter, type RateLimiter } from '#platform/http'
import type { Clock } from '#platform/time'

/** How often senders may come, in this process. */
export interface SenderLimits {
  /** A fire that proved its right. */
  takeFire(trigger: { readonly id: string; readonly ratePerMinute: number }): ReturnType<RateLimiter['take']>
  /** A request from this address whose secret proved nothing. */
  takeFailure(address: string): ReturnType<RateLimiter['take']>
}

const MAX_TRIGGERS = 100_000
const MAX_ADDRESSES = 10_000
/** As of invalid tokens. */
const FAILURES_PER_MINUTE = 60
const FAILURE_BURST = 30

export function createSenderLimits(clock: Clock): SenderLimits {
  // One limiter for each rate in use: a trigger whose rate is changed begins anew with its new one.
  const byRate = new Map<number, RateLimiter>()
  const failures = createAddressLimiter({
    perMinute: FAILURES_PER_MINUTE,
    burst: FAILURE_BURST,
    maxKeys: MAX_ADDRESSES,
    clock,
  })
  return {
    takeFire({ id, ratePerMinute: rate }) {
      let limiter = byRate.get(rate)
      if (!limiter) {
        limiter = createRateLimiter({ perMinute: rate, burst: rate, maxKeys: MAX_TRIGGERS, clock })
        byRate.set(rate, limiter)
      }
      return limiter.take(id)
    },
    takeFailure: (address) => failures.take(address),
  }
}
