import { LRUCache } from 'lru-cache'
import { sha256 } from '#platform/crypto'
import { type Authenticator, type Caller, type Credentials, createAddressLimiter } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { idleEnd, isSecret } from '../rules.ts'
import * as store from '../store.ts'

const TOUCH_MS = 60_000
const REMEMBERED = 10_000
const FAILURES_PER_MINUTE = 120
const FAILURE_BURST = 60

interface Known {
  readonly session: store.SessionRow
  /** Of the snapshot that was current before the session was read: revoking it raises the revision. */
  readonly revision: number
  /** The last use by its person that this process knows of. */
  usedAt: Date
  /** The last use that is in the table, or being written. */
  writtenAt: Date
}

export interface SessionAuthenticator extends Authenticator {
  /** Resolves when noted uses are written. */
  settle(): Promise<void>
}

/** Judges sessions, and hands tokens to the authenticator of access. */
export function createSessionAuthenticator(means: Means): SessionAuthenticator {
  const { access, clock, database, lifetime, log } = means
  const tokens = access.authenticator
  const known = new LRUCache<string, Known>({ max: REMEMBERED })
  const touching = new Set<Promise<void>>()
  const failures = createAddressLimiter({
    perMinute: FAILURES_PER_MINUTE,
    burst: FAILURE_BURST,
    maxKeys: 10_000,
    clock,
  })

  /** A valid session always passes: others behind the same address must not be able to lock its user out. */
  function refuse(address: string): undefined {
    const left = failures.take(address)
    if (left.ok) return undefined
    throw platformProblem(
      'rate_limited',
      'Too many requests without a valid session came from your address. Wait, then sign in again.',
      { headers: { 'retry-after': String(left.retryAfterSeconds) } },
    )
  }

  function isOver({ session, usedAt }: Known): boolean {
    const now = clock.now()
    return session.expiresAt <= now || idleEnd(usedAt, lifetime) <= now
  }

  async function findLasting(secret: string): Promise<Known | undefined> {
    if (!isSecret(secret)) return undefined
    const digest = sha256(secret)
    const key = digest.toString('base64')
    const { revision } = await access.snapshot()
    const hit = known.get(key)
    // Another process may know of a later use, so an idle one is looked up again.
    if (hit && hit.revision === revision && !isOver(hit)) return hit
    const session = await querySession(digest)
    if (!session) {
      known.delete(key)
      return undefined
    }
    const usedAt = hit && hit.usedAt > session.lastUsedAt ? hit.usedAt : session.lastUsedAt
    const fresh = { session, revision, usedAt, writtenAt: session.lastUsedAt }
    known.set(key, fresh)
    return isOver(fresh) ? undefined : fresh
  }

  async function querySession(digest: Buffer): Promise<store.SessionRow | undefined> {
    try {
      return await store.findByDigest(database.kysely, digest)
    } catch (error) {
      // No error of the query says that the session has ended: an outage signs nobody out.
      throw platformProblem(
        'authorization_unavailable',
        'Sessions cannot be checked right now. You are not signed out: send the request again.',
        { cause: error, headers: { 'retry-after': '2' } },
      )
    }
  }

  function noteUse(entry: Known): void {
    const at = clock.now()
    entry.usedAt = at
    const staleBefore = new Date(at.getTime() - TOUCH_MS)
    if (entry.writtenAt > staleBefore) return
    entry.writtenAt = at
    const write = store
      .touchSession(database.kysely, entry.session.id, at, staleBefore)
      .catch((error: Error) => log.debug({ err: error.message }, 'the last use of a session was not noted'))
      .finally(() => void touching.delete(write))
    touching.add(write)
  }

  async function callerOf({ session }: Known): Promise<Caller | undefined> {
    const subject = await access.newSubject('user', session.userId)
    return subject && { ...subject, sessionId: session.id }
  }

  return {
    async authenticate(credentials, address) {
      if (credentials.kind === 'bearer') return tokens.authenticate(credentials, address)
      const entry = await findLasting(credentials.secret)
      const caller = entry && (await callerOf(entry))
      if (!entry || !caller) return refuse(address)
      // A page that nobody touches keeps itself current: that must not keep its session for ever.
      if (!credentials.isBackground) noteUse(entry)
      return caller
    },
    // A stream is no use: a page that is left open ends, too.
    async authenticateAgain(credentials: Credentials) {
      if (credentials.kind === 'bearer') return tokens.authenticateAgain(credentials)
      const entry = await findLasting(credentials.secret)
      return entry && callerOf(entry)
    },
    onChange: (listener) => tokens.onChange(listener),
    requireFresh: () => tokens.requireFresh(),
    isSetupLocked: () => tokens.isSetupLocked(),
    settle: async () => void (await Promise.all(touching)),
  }
}
