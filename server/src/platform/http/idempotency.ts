import { type Sealer, sha256 } from '#platform/crypto'
import type { Database } from '#platform/database'
import type { JobDefinition } from '#platform/jobs'
import type { Log } from '#platform/log'
import { platformProblem } from '#platform/problems'
import type { Clock } from '#platform/time'
import * as store from './idempotency-store.ts'
import { type Answer, answer } from './route.ts'

/** One write with an Idempotency-Key. */
export interface KeyedWrite {
  /** `<kind>:<id>` of the caller. */
  readonly callerId: string
  /** Method and path template. */
  readonly route: string
  readonly key: string
  /** Everything that makes it this request and no other: the address and the body. */
  readonly content: readonly unknown[]
  /** The answer is sealed where it is kept. */
  readonly isSecret: boolean
}

/**
 * Does a write once per key, caller and route for 24 hours: a repetition gets the answer of the first. The key is in
 * hand while the write runs; when the process dies meanwhile, it is free again after 60 s. A write that failed was not
 * done, so its key is free at once.
 */
export interface Idempotency {
  /** Throws idempotency_key_reused or idempotency_key_in_use (409). */
  once(write: KeyedWrite, work: () => Promise<Answer>): Promise<Answer>
  /** Drops what is older than 24 hours. */
  readonly job: JobDefinition
}

export interface IdempotencyOptions {
  readonly database: Database
  readonly clock: Clock
  readonly sealer: Sealer
  readonly log: Log
}

const KEPT_MS = 24 * 60 * 60_000
const IN_HAND_MS = 60_000
const RETRY_SECONDS = '2'
const KEY_FORM = /^[\x21-\x7e]{1,255}$/

/** The key of a request; undefined when it has none. Throws invalid_request for one of another form. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && KEY_FORM.test(header)) return header
  throw platformProblem('invalid_request', 'An Idempotency-Key has 1 to 255 visible ASCII characters.', {
    errors: [{ field: 'Idempotency-Key', message: 'must have 1 to 255 visible ASCII characters' }],
  })
}

export function createIdempotency({ database, clock, sealer, log }: IdempotencyOptions): Idempotency {
  const db = database.kysely
  return {
    async once(write, work) {
      const now = clock.now()
      const claim = {
        ...write,
        requestSha256: sha256(JSON.stringify(write.content)),
        claimedAt: now,
        inHandSince: new Date(now.getTime() - IN_HAND_MS),
        keptSince: new Date(now.getTime() - KEPT_MS),
      }
      const before = await store.claimKey(db, claim)
      if (before) return repeat(sealer, write, claim.requestSha256, before)
      let result: Answer
      try {
        result = await work()
      } catch (error) {
        await store.releaseKey(db, claim).catch(() => undefined)
        throw error
      }
      const body = write.isSecret ? seal(sealer, write, result.body) : result.body
      const kept = { status: result.status, headers: { ...result.headers }, body }
      // The write is done: its caller must hear so even where the answer cannot be kept. The key stays in hand then.
      await store
        .keepAnswer(db, claim, kept)
        .catch((error: Error) => log.warn({ err: error.message }, 'the answer to an idempotent write was not kept'))
      return result
    },
    job: {
      name: 'http.drop-idempotency-keys',
      cron: '23 * * * *',
      run: async () => store.dropKeys(db, new Date(clock.now().getTime() - KEPT_MS)),
    },
  }
}

function repeat(sealer: Sealer, write: KeyedWrite, requestSha256: Buffer, kept: store.KeptAnswer): Answer {
  if (!requestSha256.equals(kept.requestSha256)) {
    throw platformProblem(
      'idempotency_key_reused',
      'This Idempotency-Key came with another request before: use a new key for a new request.',
    )
  }
  if (kept.status === null) {
    throw platformProblem(
      'idempotency_key_in_use',
      'The first request with this Idempotency-Key is still being worked on. Send yours again a little later.',
      { headers: { 'retry-after': RETRY_SECONDS } },
    )
  }
  const body = write.isSecret ? open(sealer, write, kept.body) : (kept.body ?? undefined)
  return answer(kept.status, body, { ...kept.headers, 'idempotency-replayed': 'true' })
}

function contextOf(write: KeyedWrite): string {
  return `idempotency:${write.callerId}:${write.route}:${write.key}`
}

function seal(sealer: Sealer, write: KeyedWrite, body: unknown): unknown {
  if (body === undefined) return undefined
  return { sealed: sealer.seal(JSON.stringify(body), contextOf(write)).toString('base64') }
}

function open(sealer: Sealer, write: KeyedWrite, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('sealed' in body)) return undefined
  const text = sealer.open(Buffer.from(String(body.sealed), 'base64'), contextOf(write))
  const parsed: unknown = JSON.parse(text)
  return parsed
}
