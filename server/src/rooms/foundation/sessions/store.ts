import { findOne, type Queryable, type RowOf, toCamel, toSnake } from '#platform/database'
import type { Window } from '#platform/http'

const COLUMNS = [
  'id',
  'user_id',
  'method',
  'provider',
  'user_agent',
  'address',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const

export type SessionRow = RowOf<'sessions', (typeof COLUMNS)[number]>

/** What tells a session that lasts from one that is over by time. */
export interface Now {
  readonly at: Date
  /** Used before: over. */
  readonly idleSince: Date
}

export async function insertSession(db: Queryable, row: SessionRow, digest: Buffer): Promise<void> {
  await db
    .insertInto('sessions')
    .values({ ...toSnake(row), digest })
    .execute()
}

/** Served by the unique index on the digest. Revoked sessions are not found. */
export function findByDigest(db: Queryable, digest: Buffer): Promise<SessionRow | undefined> {
  return findOne(db.selectFrom('sessions').select(COLUMNS).where('digest', '=', digest).where('revoked_at', 'is', null))
}

export function findSession(db: Queryable, id: string): Promise<SessionRow | undefined> {
  return findOne(db.selectFrom('sessions').select(COLUMNS).where('id', '=', id).where('revoked_at', 'is', null))
}

/** The lasting sessions of a user, newest first. */
export async function listSessions(
  db: Queryable,
  userId: string,
  { before, limit, at, idleSince }: Window & Now,
): Promise<SessionRow[]> {
  let query = db
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where('last_used_at', '>', idleSince)
    .orderBy('id', 'desc')
    .limit(limit)
  if (before) query = query.where('id', '<', before)
  return (await query.execute()).map(toCamel)
}

/** Answers whether it was not revoked before. */
export async function revokeSession(db: Queryable, id: string, at: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return revoked.numUpdatedRows > 0n
}

/** Revokes the sessions of a user, all but `kept`; answers how many. */
export async function revokeOfUser(
  db: Queryable,
  userId: string,
  { at, kept }: { readonly at: Date; readonly kept: string | undefined },
): Promise<number> {
  let query = db
    .updateTable('sessions')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
  if (kept !== undefined) query = query.where('id', '!=', kept)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}

/** The sessions of a user beyond the `most` that were used last. */
export async function listBeyond(db: Queryable, userId: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('last_used_at', 'desc')
    .offset(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** At most once a minute per session: `staleBefore` is a minute ago. Raises no revision. */
export async function touchSession(db: Queryable, id: string, at: Date, staleBefore: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where('last_used_at', '<=', staleBefore)
    .execute()
}

/** Whether the next function has something to do: a deletion raises the revision of access even where it finds none. */
export async function hasEnded(db: Queryable, at: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where((eb) => eb.or([eb('revoked_at', 'is not', null), eb('expires_at', '<=', at)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Drops sessions that were revoked or have expired. Idle ones expire, too. */
export async function dropEnded(db: Queryable, at: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('revoked_at', 'is not', null), eb('expires_at', '<=', at)]))
    .execute()
}

export async function countSessions(
  db: Queryable,
  { at, idleSince }: Now,
): Promise<{ readonly method: string; readonly count: number }[]> {
  const rows = await db
    .selectFrom('sessions')
    .select((eb) => ['method', eb.fn.countAll<number>().as('count')])
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where('last_used_at', '>', idleSince)
    .groupBy('method')
    .execute()
  return rows.map(({ method, count }) => ({ method, count: Number(count) }))
}
