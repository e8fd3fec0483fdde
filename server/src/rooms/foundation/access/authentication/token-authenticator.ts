import { LRUCache } from 'lru-cache'
import { readTokenKind, sha256 } from '#platform/crypto'
import { type Authenticator, type Caller, type Credentials, createAddressLimiter } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { type AccessSnapshot, BOOTSTRAP_ID } from '../rules/snapshot.ts'
import * as store from '../store/tokens.ts'
import type { BootstrapToken } from './bootstrap-token.ts'
import type { SnapshotKeeper } from './snapshot-keeper.ts'

const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/i
const TOUCH_MS = 60_000
const REMEMBERED = 10_000
const FAILURES_PER_MINUTE = 60
const FAILURE_BURST = 30

interface Known {
  readonly token: store.TokenRow
  /** Of the snapshot that was current before the token was read: revoking one raises it. */
  readonly revision: number
  touchedAt: number
}

export interface TokenAuthenticator extends Authenticator {
  /** Resolves when noted uses are written. */
  settle(): Promise<void>
}

export function createTokenAuthenticator(
  kit: Kit,
  keeper: SnapshotKeeper,
  bootstrap: BootstrapToken,
): TokenAuthenticator {
  const known = new LRUCache<string, Known>({ max: REMEMBERED })
  const touching = new Set<Promise<void>>()
  const failures = createAddressLimiter({
    perMinute: FAILURES_PER_MINUTE,
    burst: FAILURE_BURST,
    maxKeys: 10_000,
    clock: kit.clock,
  })

  /** A valid token always passes: others behind the same address must not be able to lock its owner out. */
  function refuse(address: string): undefined {
    const left = failures.take(address)
    if (left.ok) return undefined
    throw platformProblem(
      'rate_limited',
      'Too many invalid tokens came from your address. Wait, then send a valid one.',
      {
        headers: { 'retry-after': String(left.retryAfterSeconds) },
      },
    )
  }

  async function findKnown(digest: Buffer, snapshot: AccessSnapshot): Promise<Known | undefined> {
    const key = digest.toString('base64')
    const hit = known.get(key)
    if (hit && hit.revision === snapshot.revision) return hit
    const token = await queryToken(digest)
    if (!token) {
      known.delete(key)
      return undefined
    }
    const fresh = { token, revision: snapshot.revision, touchedAt: hit?.touchedAt ?? Number.NEGATIVE_INFINITY }
    known.set(key, fresh)
    return fresh
  }

  async function queryToken(digest: Buffer): Promise<store.TokenRow | undefined> {
    try {
      return await store.findLiveToken(kit.database.kysely, digest)
    } catch (error) {
      // No error of the query says that the token is not valid.
      throw platformProblem(
        'authorization_unavailable',
        'Tokens cannot be checked right now. Send the request again.',
        {
          cause: error,
          headers: { 'retry-after': '2' },
        },
      )
    }
  }

  function touch(entry: Known): void {
    const now = kit.clock.monotonic()
    if (now - entry.touchedAt < TOUCH_MS) return
    entry.touchedAt = now
    const at = kit.clock.now()
    const write = store
      .touchToken(kit.database.kysely, entry.token.id, at, new Date(at.getTime() - TOUCH_MS))
      .catch((error: Error) => kit.log.debug({ err: error.message }, 'the last use of a token was not noted'))
      .finally(() => void touching.delete(write))
    touching.add(write)
  }

  /** Undefined for a token that is not valid now, and for a session. Throws authorization_unavailable (503). */
  async function findCaller(credentials: Credentials): Promise<Caller | undefined> {
    const token = credentials.kind === 'bearer' ? BEARER.exec(credentials.authorization)?.[1] : undefined
    if (token === undefined) return undefined
    const digest = sha256(token)
    const kind = readTokenKind(token)
    const isPersonal = kind === 'user' || kind === 'service_account'
    // A bootstrap token that `signalbox up` made, or that somebody configured, has no kind.
    if ((bootstrap.configured || !isPersonal) && bootstrap.matches(digest)) {
      return (await keeper.get()).subject('bootstrap', BOOTSTRAP_ID)
    }
    if (!isPersonal) return undefined
    const entry = await findKnown(digest, await keeper.get())
    if (!entry || entry.token.owner.kind !== kind) return undefined
    const { expiresAt } = entry.token
    if (expiresAt && expiresAt <= kit.clock.now()) return undefined
    const { id, name, owner, limits } = entry.token
    const caller = await keeper.findSubject(owner, { id, name, ...(limits ? { limits } : {}) })
    if (caller) touch(entry)
    return caller
  }

  return {
    async authenticate(credentials, address) {
      return (await findCaller(credentials)) ?? refuse(address)
    },
    authenticateAgain: findCaller,
    onChange: (listener) => keeper.onChange(listener),
    requireFresh: async () => void (await keeper.get()),
    isSetupLocked: async () => !bootstrap.configured && !(await keeper.get()).administratorExists,
    settle: async () => void (await Promise.all(touching)),
  }
}
