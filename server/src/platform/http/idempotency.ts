import { type Sealer, sha256 } from '#platform/crypto'
import type { Database, Tx } from '#platform/database'
import type { JobDefinition } from '#platform/jobs'
import type { Log } from '#platform/log'
import { platformProblem } from '#platform/problems'
import type { Clock } from '#platform/time'
import { type AskedCaller, holdsAll } from './caller.ts'
import * as store from './idempotency-store.ts'
import { type Answer, answer } from './route.ts'

/** The owner of a key, and what they held for the first answer. */
export type KeyHolder = Pick<AskedCaller, 'kind' | 'id' | 'token' | 'can' | 'mayUse' | 'held'>

/** One write with an Idempotency-Key. */
export interface KeyedWrite {
  /** The owner of the key, whose rights are judged before an answer is repeated. */
  readonly caller: KeyHolder
  /** Method and path template. */
  readonly route: string
  readonly key: string
  /** Everything that makes it this request and no other: the address and the body. */
  readonly content: readonly unknown[]
  /** The answer is sealed where it is kept, and kept for 10 minutes only. */
  readonly isSecret: boolean
}

/**
 * Does a write once per key, caller and route for 24 hours. A repetition gets the first answer, as long as the caller
 * holds the permissions that the first write needed. The key is in hand while the write runs; when the process dies
 * meanwhile, it is free again after 60 s. A write that failed was not done, so its key is free at once.
 */
export interface Idempotency {
  /**
   * Throws forbidden (403) for a repetition of what the caller may no longer do; idempotency_key_reused,
   * idempotency_key_in_use, idempotency_answer_gone (409).
   */
  once(write: KeyedWrite, work: () => Promise<Answer>): Promise<Answer>
  /**
   * The same in the transaction of the write itself: write and answer are both there or neither is, also after a death in
   * between. A repetition meanwhile waits for the first. Throws as `once` does.
   */
  onceWithin(tx: Tx, write: KeyedWrite, work: () => Promise<Answer>): Promise<Answer>
  /** Drops entries older than 24 hours, and sealed answers older than 10 minutes. */
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
/** Long enough for a client that lost the answer to ask again; a secret is kept no longer than that. */
const SECRET_KEPT_MS = 10 * 60_000
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

  function claimOf(write: KeyedWrite): store.KeyClaim {
    const now = clock.now()
    return {
      callerId: callerIdOf(write),
      route: write.route,
      key: write.key,
      requestSha256: sha256(JSON.stringify(write.content)),
      claimedAt: now,
      inHandSince: new Date(now.getTime() - IN_HAND_MS),
      keptSince: new Date(now.getTime() - KEPT_MS),
    }
  }

  function keptOf(write: KeyedWrite, { status, headers, body }: Answer): store.StoredAnswer {
    const kept = write.isSecret
      ? { body: undefined, sealedBody: seal(sealer, write, body) }
      : { body, sealedBody: undefined }
    return { ...kept, status, headers: { ...headers }, held: write.caller.held }
  }

  return {
    async once(write, work) {
      const claim = claimOf(write)
      const before = await store.claimKey(db, claim)
      if (before) return repeat({ sealer, now: claim.claimedAt }, write, claim.requestSha256, before)
      let result: Answer
      try {
        result = await work()
      } catch (error) {
        await store.releaseKey(db, claim).catch(() => undefined)
        throw error
      }
      const kept = keptOf(write, result)
      // The write is done: its caller must hear so even where the answer cannot be kept. The key stays in hand then.
      await store
        .keepAnswer(db, claim, kept)
        .catch((error: Error) => log.warn({ err: error.message }, 'the answer to an idempotent write was not kept'))
      return result
    },
    async onceWithin(tx, write, work) {
      const claim = claimOf(write)
      const before = await store.claimKey(tx, claim)
      if (before) return repeat({ sealer, now: claim.claimedAt }, write, claim.requestSha256, before)
      const result = await work()
      await store.keepAnswer(tx, claim, keptOf(write, result))
      return result
    },
    job: {
      name: 'http.drop-idempotency-keys',
      cron: '*/10 * * * *',
      async run() {
        const now = clock.now().getTime()
        await store.forgetSealed(db, new Date(now - SECRET_KEPT_MS))
        await store.dropKeys(db, new Date(now - KEPT_MS))
      },
    },
  }
}

interface Reading {
  readonly sealer: Sealer
  readonly now: Date
}

function repeat(reading: Reading, write: KeyedWrite, requestSha256: Buffer, kept: store.KeptAnswer): Answer {
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
  if (!holdsAll(write.caller, kept.held)) {
    throw platformProblem('forbidden', 'You may no longer do this, so the answer of the first request is not repeated.')
  }
  const body = write.isSecret ? openKept(reading, write, kept) : kept.body
  return answer(kept.status, body, { ...kept.headers, 'idempotency-replayed': 'true' })
}

function openKept({ sealer, now }: Reading, write: KeyedWrite, kept: store.KeptAnswer): unknown {
  const isKept = now.getTime() - kept.claimedAt.getTime() <= SECRET_KEPT_MS
  if (isKept && kept.sealedBody) {
    const parsed: unknown = JSON.parse(sealer.open(kept.sealedBody, contextOf(write)))
    return parsed
  }
  throw platformProblem(
    'idempotency_answer_gone',
    'The first request was done. The answer holds a secret, which is kept for 10 minutes: send a new key to get a new secret.',
  )
}

/** A token with limits has keys of its own: it gets no answer that was for its owner. */
function callerIdOf({ caller: { kind, id, token } }: KeyedWrite): string {
  return token?.limits ? `${kind}:${id}:token:${token.id}` : `${kind}:${id}`
}

function contextOf(write: KeyedWrite): string {
  return `idempotency:${callerIdOf(write)}:${write.route}:${write.key}`
}

function seal(sealer: Sealer, write: KeyedWrite, body: unknown): Buffer | undefined {
  return body === undefined ? undefined : sealer.seal(JSON.stringify(body), contextOf(write))
}
