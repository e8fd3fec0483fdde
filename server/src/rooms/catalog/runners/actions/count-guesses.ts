import { isIPv6 } from 'node:net'
import { readTokenKind, sha256 } from '#platform/crypto'
import { createRateLimiter } from '#platform/http'
import type { Metrics } from '#platform/metrics'
import type { Kit } from '#platform/room'
import { runnerProblem } from '../errors.ts'

/** Limits of wrong tokens, for one address and for all together; beyond them a wrong token costs no query. */
const OF_ADDRESS = { perMinute: 10, burst: 10, maxKeys: 10_000 }
const OF_ALL = { perMinute: 300, burst: 100, maxKeys: 1 }
const ALL = 'all'
/** How long the list of valid tokens is believed while the limit is reached. */
const BELIEVED_MS = 1000

export function registerRefused(metrics: Metrics) {
  return metrics.counter(
    'signalbox_runner_tokens_refused_total',
    'Wrong enrolment tokens and credentials of runners; limited: refused beyond the limit of guesses',
    ['what', 'limited'],
  )
}

export interface GuessOptions {
  /** For the metric: `enrollment`, `credential`. */
  readonly what: string
  /** SHA-256 of each token that is valid now. */
  readonly listGood: () => Promise<readonly Buffer[]>
  readonly refused: ReturnType<typeof registerRefused>
}

/**
 * Limits wrong tokens. A valid token always passes, also during a flood of wrong ones from the same address, so that a flood
 * keeps no runner out. Each process counts for itself.
 */
export interface Guesses {
  /** Throws runner.too_many_guesses (429) for a token that is not valid after too many wrong ones. */
  admit(token: string, address: string): Promise<void>
  /** Notes that the token was wrong. */
  count(address: string): void
}

export function createGuesses(kit: Kit, { what, listGood, refused }: GuessOptions): Guesses {
  const ofAddress = createRateLimiter({ ...OF_ADDRESS, clock: kit.clock })
  const ofAll = createRateLimiter({ ...OF_ALL, clock: kit.clock })
  let good: Promise<ReadonlySet<string>> | undefined
  let readAt = 0
  let toldAt = Number.NEGATIVE_INFINITY

  function readGood(): Promise<ReadonlySet<string>> {
    const now = kit.clock.monotonic()
    if (good && now - readAt < BELIEVED_MS) return good
    const reading = listGood().then((digests) => new Set(digests.map(keyOf)))
    // After a failed query the next token asks again.
    reading.catch(() => {
      if (good === reading) good = undefined
    })
    good = reading
    readAt = now
    return reading
  }

  function refuse(address: string, retryAfterSeconds: number): Error {
    refused.inc({ what, limited: 'true' })
    const now = kit.clock.monotonic()
    if (now - toldAt >= 60_000) {
      toldAt = now
      kit.log.warn({ what, address }, 'too many wrong tokens of runners: further ones are refused unread')
    }
    return runnerProblem(
      'runner.too_many_guesses',
      `Too many wrong tokens came, and this token is not valid. Check that you copied all of it, and try again in ${retryAfterSeconds} s.`,
      { headers: { 'retry-after': String(retryAfterSeconds) } },
    )
  }

  return {
    async admit(token, address) {
      const verdicts = [ofAddress.look(groupOf(address)), ofAll.look(ALL)]
      const waits = verdicts.map((verdict) => (verdict.ok ? 0 : verdict.retryAfterSeconds))
      const wait = Math.max(...waits)
      if (wait === 0) return
      const isGood = readTokenKind(token) === 'runner' && (await readGood()).has(keyOf(sha256(token)))
      if (!isGood) throw refuse(address, wait)
    },
    count(address) {
      refused.inc({ what, limited: 'false' })
      ofAddress.take(groupOf(address))
      ofAll.take(ALL)
    },
  }
}

// Digests are compared, never tokens, so that the time of a comparison tells nothing about a token.
function keyOf(digest: Buffer): string {
  return digest.toString('base64')
}

/** An IPv6 address counts as its network of 64 bits, because a client has all addresses of it. */
function groupOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = [], tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - head.length - (tail?.length ?? 0) }, () => '0')
  return [...head, ...zeros].slice(0, 4).join(':')
}
