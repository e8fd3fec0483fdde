import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

export interface KeyClaim {
  readonly callerId: string
  readonly route: string
  readonly key: string
  readonly requestSha256: Buffer
  /** Tells this claim from a later one that took the key over. */
  readonly claimedAt: Date
  /** A claim without an answer that is older was left by a process that died. */
  readonly inHandSince: Date
  /** An answer that is older is forgotten. */
  readonly keptSince: Date
}

export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface KeptAnswer {
  readonly requestSha256: Buffer
  /** null: still in hand. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/**
 * Undefined: the key is the caller's now. Otherwise what is known of it. One statement decides, so that of two
 * requests at once one is the second; the primary key serves both statements.
 */
export async function claimKey(db: Queryable, claim: KeyClaim): Promise<KeptAnswer | undefined> {
  const claimed = await sql`
    insert into idempotency_keys as k (caller_id, route, key, request_sha256, created_at)
    values (${claim.callerId}, ${claim.route}, ${claim.key}, ${claim.requestSha256}, ${claim.claimedAt})
    on conflict (caller_id, route, key) do update
      set request_sha256 = excluded.request_sha256, created_at = excluded.created_at,
          status = null, headers = null, body = null
      where k.created_at < ${claim.keptSince} or (k.status is null and k.created_at < ${claim.inHandSince})
    returning 1`.execute(db)
  if (claimed.rows.length > 0) return undefined
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'status', 'headers', 'body'])
    .where('caller_id', '=', claim.callerId)
    .where('route', '=', claim.route)
    .where('key', '=', claim.key)
    .executeTakeFirst()
  // Released between the two statements: the first request failed, and this one may try once more a little later.
  if (!row) return { requestSha256: claim.requestSha256, status: null, headers: {}, body: undefined }
  return {
    requestSha256: row.request_sha256,
    status: row.status,
    headers: readHeaders(row.headers),
    body: row.body ?? undefined,
  }
}

export async function keepAnswer(db: Queryable, claim: KeyClaim, kept: StoredAnswer): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({
      status: kept.status,
      headers: JSON.stringify(kept.headers),
      body: kept.body === undefined ? null : JSON.stringify(kept.body),
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

/** Served by the index on created_at. */
export async function dropKeys(db: Queryable, olderThan: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', olderThan).execute()
}

function readHeaders(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
}
