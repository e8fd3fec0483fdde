import { randomBytes } from 'node:crypto'
import { sha256 } from '#platform/crypto'
import type { Tx } from '#platform/database'
import { type Caller, readCookie } from '#platform/http'
import type { Means } from '../means.ts'
import { cookieOf, cutUserAgent, isSecret } from '../rules.ts'
import * as store from '../store.ts'

/** The browser that signs in. */
export interface Client {
  readonly address: string
  readonly requestId: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface NewSession {
  readonly userId: string
  readonly method: 'password' | 'openid'
  /** The id of the provider of OpenID Connect; null for a password. */
  readonly provider: string | null
  readonly client: Client
}

export interface OpenedSession {
  readonly session: store.SessionRow
  /** The user as the caller who has just signed in; holds no permission yet. */
  readonly caller: Caller
  /** The header `Set-Cookie`, which alone holds the secret. */
  readonly setCookie: string
}

const SECRET_BYTES = 32
/** A program that signs in again and again fills no table. */
const MOST_OF_USER = 100

/**
 * Opens a session of an enabled user, in a transaction of `access.changeAccess`; undefined where the user is gone or
 * disabled. The session that the browser had ends.
 */
export async function openSession(means: Means, tx: Tx, input: NewSession): Promise<OpenedSession | undefined> {
  const { userId, method, provider, client } = input
  const user = await means.access.holdUser(tx, userId)
  if (!user) return undefined
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const at = means.clock.now()
  const session: store.SessionRow = {
    id: means.ids.next(),
    userId,
    method,
    provider,
    userAgent: cutUserAgent(client.headers['user-agent']),
    address: client.address,
    createdAt: at,
    lastUsedAt: at,
    expiresAt: new Date(at.getTime() + means.lifetime.maxMs),
    revokedAt: null,
  }
  await endReplaced(means, tx, client)
  await store.insertSession(tx, session, sha256(secret))
  for (const id of await store.listBeyond(tx, userId, MOST_OF_USER)) await store.revokeSession(tx, id, at)
  const caller = { kind: 'user', id: user.id, name: user.login, sessionId: session.id, ...NO_RIGHTS } as const
  await means.audit.record(tx, {
    origin: { caller, address: client.address, requestId: client.requestId },
    action: 'session.opened',
    resource: { kind: 'session', id: session.id },
    teamPath: '/',
    after: { user: user.login, method, provider, user_agent: session.userAgent },
  })
  return { session, caller, setCookie: cookieOf(means.browsers, secret, means.lifetime.maxMs / 1000) }
}

const NO_RIGHTS = { can: () => false, prefixes: () => [], mayUse: () => false }

/** Nobody could end it later: the browser forgets its secret now. */
async function endReplaced({ browsers, clock }: Means, tx: Tx, { headers }: Client): Promise<void> {
  const { cookie } = headers
  const secret = typeof cookie === 'string' ? readCookie(cookie, browsers.cookieName) : undefined
  if (secret === undefined || !isSecret(secret)) return
  const before = await store.findByDigest(tx, sha256(secret))
  if (before) await store.revokeSession(tx, before.id, clock.now())
}
