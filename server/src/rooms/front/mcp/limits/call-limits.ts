import { type Caller, createRateLimiter, type RateLimiter } from '#platform/http'
import type { Clock } from '#platform/time'
import type { ToolEffect } from '#platform/tools'

/** What one token may do in a minute. An agent in a loop must not slow down the people beside it. */
export const PER_MINUTE: Readonly<Record<ToolEffect, number>> = { read: 120, plan: 20, confirm: 10 }
export const AT_ONCE = 4
/** Streams that stay open, such as those that tell of a changed list. */
export const STREAMS = 4

export type Turn =
  | { readonly done: () => void }
  | { readonly retryAfterSeconds: number; readonly why: 'rate' | 'at once' }

/** Counts the calls of each token: engine of this room, in the memory of one process. */
export interface CallLimits {
  /** Takes a turn for `key`, the token or its owner. `done` gives it back. */
  take(key: string, effect: ToolEffect): Turn
  /** Whether a refused call of `key` is noted in the audit: one each minute, so that a loop fills no table. */
  noteRefused(key: string): boolean
  /** Takes a place for a stream of `key`; undefined where it has as many as it may. The answer gives the place back. */
  openStream(key: string): (() => void) | undefined
}

/** Whom the limits count for: the token, or its owner where there is none. */
export function keyOf({ token, kind, id }: Caller): string {
  return token?.id ?? `${kind}:${id}`
}

const MAX_KEYS = 10_000

export function createCallLimits(clock: Clock): CallLimits {
  const limiterOf = (effect: ToolEffect): RateLimiter =>
    createRateLimiter({ perMinute: PER_MINUTE[effect], burst: PER_MINUTE[effect], maxKeys: MAX_KEYS, clock })
  const limiters: Readonly<Record<ToolEffect, RateLimiter>> = {
    read: limiterOf('read'),
    plan: limiterOf('plan'),
    confirm: limiterOf('confirm'),
  }
  const inHand = createCounts()
  const streams = createCounts()
  const refused = createRateLimiter({ perMinute: 1, burst: 1, maxKeys: MAX_KEYS, clock })

  return {
    take(key, effect) {
      if (inHand.of(key) >= AT_ONCE) return { retryAfterSeconds: 1, why: 'at once' }
      const left = limiters[effect].take(key)
      if (!left.ok) return { retryAfterSeconds: left.retryAfterSeconds, why: 'rate' }
      return { done: inHand.add(key) }
    },
    noteRefused: (key) => refused.take(key).ok,
    openStream: (key) => (streams.of(key) >= STREAMS ? undefined : streams.add(key)),
  }
}

interface Counts {
  of(key: string): number
  /** Answers how to take it back, which counts once. */
  add(key: string): () => void
}

function createCounts(): Counts {
  const counts = new Map<string, number>()
  return {
    of: (key) => counts.get(key) ?? 0,
    add(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      let isBack = false
      return () => {
        if (isBack) return
        isBack = true
        const left = (counts.get(key) ?? 1) - 1
        if (left <= 0) counts.delete(key)
        else counts.set(key, left)
      }
    },
  }
}
