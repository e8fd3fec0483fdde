import type { Clock } from '#platform/time'
import { networkOf } from './network-of.ts'

export type RateLimitAnswer = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number }

/** Token buckets by key (an address, a source). `take` spends one, or as much as it says; `look` only asks whether one is left. */
export interface RateLimiter {
  take(key: string, amount?: number): RateLimitAnswer
  look(key: string): RateLimitAnswer
}

export interface RateLimitOptions {
  readonly perMinute: number
  /** How many may come at once after a quiet time. */
  readonly burst: number
  /** Keys remembered at most; the one used longest ago is forgotten, so that many senders cannot fill memory. */
  readonly maxKeys: number
  readonly clock: Clock
}

interface Bucket {
  left: number
  at: number
}

/** By address: those of one network of IPv6 spend together. */
export function createAddressLimiter(options: RateLimitOptions): RateLimiter {
  const limiter = createRateLimiter(options)
  return {
    take: (address, amount) => limiter.take(networkOf(address), amount),
    look: (address) => limiter.look(networkOf(address)),
  }
}

export function createRateLimiter(options: RateLimitOptions): RateLimiter {
  const { burst, clock, maxKeys } = options
  const perMs = options.perMinute / 60_000
  // Insertion order is the order of use: each take moves its key to the end.
  const buckets = new Map<string, Bucket>()

  function refilled(key: string): Bucket {
    const now = clock.monotonic()
    const bucket = buckets.get(key)
    if (!bucket) return { left: burst, at: now }
    return { left: Math.min(burst, bucket.left + (now - bucket.at) * perMs), at: now }
  }

  function judge(left: number, amount: number): RateLimitAnswer {
    if (left >= amount) return { ok: true }
    return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((amount - left) / perMs / 1000)) }
  }

  return {
    look: (key) => judge(refilled(key).left, 1),
    take(key, amount = 1) {
      const bucket = refilled(key)
      const verdict = judge(bucket.left, amount)
      if (verdict.ok) bucket.left -= amount
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > maxKeys) {
        const [oldest] = buckets.keys()
        if (oldest !== undefined) buckets.delete(oldest)
      }
      return verdict
    },
  }
}
