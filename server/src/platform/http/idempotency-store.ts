import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { HeldPermission } from './caller.ts'

export interface KeyClaim {
  readonly callerId: string
  readonly route: string
  readonly key: string
  readonly requestSha256: Buffer
  /** The instant tells this claim from a later claim of the same key. */
  readonly claimedAt: Date
  /** A claim without an answer that is older was left by a process that died. */
  readonly inHandSince: Date
  /** An answer that is older is forgotten. */
  readonly keptSince: Date
}

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where there is no body, or a sealed one. */
  readonly body: unknown
  readonly sealedBody: Buffer | undefined
  /** The permissions that the caller needed. */
  readonly held: readonly HeldPermission[]
}

export interface KeptAnswer {
  readonly requestSha256: Buffer
  readonly claimedAt: Date
  /** null: still in hand. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Undefined: it was not sealed, or it is forgotten. */
  readonly sealedBody: Buffer | undefined
  readonly held: readonly HeldPermission[]
}

/**
 * Undefined: the key is the caller's now. Otherwise the known facts. One statement decides, so that of two requests at
 * once one is the second; the primary key serves both statements.
 */
export async function claimKey(db: Queryable, claim: KeyClaim): Promise<KeptAnswer | undefined> {
  const claimed = await sql`
    insert into idempotency_keys as k (caller_id, route, key, request_sha256, created_at)
    values (${claim.callerId}, ${claim.route}, ${claim.key}, ${claim.requestSha256}, ${claim.claimedAt})
    on conflict (caller_id, route, key) do update
      set request_sha256 = excluded.request_sha256, created_at = excluded.created_at,
          status = null, headers = null, body = null, sealed_body = null, held = null
      where k.created_at < ${claim.keptSince} or (k.status is null and k.created_at < ${claim.inHandSince})
    returning 1`.execute(db)
  if (claimed.rows.length > 0) return undefined
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'status', 'headers', 'body', 'sealed_body', 'held', 'created_at'])
    .where('caller_id', '=', claim.callerId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .executeTakeFirst()
  // Released between the two statements: the first request failed, and this one may try once more a little later.
  if (!row) return inHand(claim)
  return {
    requestSha256: row.request_sha256,
    claimedAt: row.created_at,
    status: row.status,
    headers: readHeaders(row.headers),
    body: row.body ?? undefined,
    sealedBody: row.sealed_body ?? undefined,
    held: readHeld(row.held),
  }
}

function inHand({ requestSha256, claimedAt }: KeyClaim): KeptAnswer {
  return { requestSha256, claimedAt, status: null, headers: {}, body: undefined, sealedBody: undefined, held: [] }
}

export async function keepAnswer(db: Queryable, claim: KeyClaim, kept: StoredAnswer): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({
      status: kept.status,
      headers: JSON.stringify(kept.headers),
      body: kept.body === undefined ? null : JSON.stringify(kept.body),
      sealed_body: kept.sealedBody ?? null,
      held: JSON.stringify(kept.held),
    })
    .where('caller_id', '=', claim.callerId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .where('created_at', '=', claim.claimedAt)
    .execute()
}

export async function releaseKey(db: Queryable, claim: KeyClaim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('caller_id', '=', claim.callerId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .where('created_at', '=', claim.claimedAt)
    .where('status', 'is', null)
    .execute()
}

/** The few sealed bodies that there are lie in an index of their own. */
export async function forgetSealed(db: Queryable, olderThan: Date): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ sealed_body: null })
    .where('sealed_body', 'is not', null)
    .where('created_at', '<', olderThan)
    .execute()
}

/** Served by the index on created_at. */
export async function dropKeys(db: Queryable, olderThan: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', olderThan).execute()
}

/** A row that is not as we write it permits nothing. */
function readHeld(value: unknown): readonly HeldPermission[] {
  if (value === null) return []
  if (!Array.isArray(value)) throw new Error('idempotency_keys.held is no list')
  return value.map((each: unknown) => {
    const [permission, teamPath]: readonly unknown[] = Array.isArray(each) ? each : []
    if (typeof permission === 'string' && typeof teamPath === 'string') return [permission, teamPath]
    throw new Error('idempotency_keys.held holds something that is no permission at a team path')
  })
}

function readHeaders(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
}
