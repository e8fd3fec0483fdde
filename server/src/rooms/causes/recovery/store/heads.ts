import { sql } from 'kysely'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { findOne, type Queryable, type Tx } from '#platform/database'
import { madeAt } from '#platform/ids'

/** Heads by the full ref, or by the number of a pull request. */
export type HeadNotes = Readonly<Record<string, string>>

const checkNotes = Compile(Type.Record(Type.String(), Type.String()))

/** A repository whose heads are compared. */
export interface StoredHeads {
  readonly sourceId: string
  /** The full name as it was heard last. */
  readonly repository: string
  /** Null: nothing is noted. */
  readonly noted: { readonly heads: HeadNotes; readonly pulls: HeadNotes; readonly at: Date } | null
  readonly version: number
  readonly turnAt: Date
}

export interface HeardPlace {
  readonly sourceId: string
  readonly repository: string
}

/** A repository that an event told of. */
export interface HeardRepository extends HeardPlace {
  readonly eventId: string
}

/** New ones come first in the next round. */
export async function noteHeard(db: Queryable, heard: readonly HeardRepository[]): Promise<void> {
  if (heard.length === 0) return
  const rows = heard.map(({ sourceId, repository, eventId }) => ({
    sourceId,
    repository,
    key: repository.toLowerCase(),
    at: madeAt(eventId),
  }))
  await sql`
    insert into recovery_heads as held (source_id, repository, repository_key, heard_at, turn_at)
    select "sourceId", repository, key, at, to_timestamp(0)
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as heard("sourceId" uuid, repository text, key text, at timestamptz)
    order by 1, 3
    on conflict (source_id, repository_key) do update
      set heard_at = excluded.heard_at, repository = excluded.repository
      where held.heard_at < excluded.heard_at`.execute(db)
}

/** Up to which event repositories were read; undefined: none was. */
export async function findHeardUntil(db: Queryable): Promise<string | undefined> {
  return (await db.selectFrom('recovery_heard').select('event_id').executeTakeFirst())?.event_id
}

export async function storeHeardUntil(db: Queryable, eventId: string): Promise<void> {
  await db
    .insertInto('recovery_heard')
    .values({ event_id: eventId })
    .onConflict((conflict) => conflict.column('one').doUpdateSet({ event_id: eventId }))
    .execute()
}

export interface TurnsAsked {
  readonly sourceId: string | undefined
  readonly heardSince: Date
  readonly now: Date
  readonly limit: number
}

/** Those that were looked at longest ago come first. */
export async function listTurns(db: Queryable, asked: TurnsAsked): Promise<readonly HeardPlace[]> {
  let query = db
    .selectFrom('recovery_heads')
    .select(['source_id as sourceId', 'repository'])
    .where('heard_at', '>', asked.heardSince)
    .where((is) => is.or([is('not_before', 'is', null), is('not_before', '<=', asked.now)]))
  if (asked.sourceId !== undefined) query = query.where('source_id', '=', asked.sourceId)
  return await query.orderBy('turn_at').limit(asked.limit).execute()
}

export async function findHeads(db: Queryable, place: HeardPlace): Promise<StoredHeads | undefined> {
  const row = await findOne(
    db
      .selectFrom('recovery_heads')
      .select(['source_id', 'repository', 'heads', 'pulls', 'version', 'turn_at', 'looked_at'])
      .where('source_id', '=', place.sourceId)
      .where('repository_key', '=', place.repository.toLowerCase()),
  )
  if (!row) return undefined
  const { heads, pulls, lookedAt: at, ...others } = row
  const isNoted = at !== null && checkNotes.Check(heads) && checkNotes.Check(pulls)
  return { ...others, noted: isNoted ? { heads, pulls, at } : null }
}

/** False: another process has the turn. */
export async function takeTurn(db: Queryable, { turnAt, ...place }: StoredHeads, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('recovery_heads')
    .set({ turn_at: now })
    .where('source_id', '=', place.sourceId)
    .where('repository_key', '=', place.repository.toLowerCase())
    .where('turn_at', '=', turnAt)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export interface NewNotes {
  readonly heads: HeadNotes
  readonly pulls: HeadNotes
  readonly lookedAt: Date
}

/** False: another look noted meanwhile. */
export async function storeNotes(tx: Tx, stored: StoredHeads, notes: NewNotes): Promise<boolean> {
  const result = await tx
    .updateTable('recovery_heads')
    .set({
      heads: JSON.stringify(notes.heads),
      pulls: JSON.stringify(notes.pulls),
      version: stored.version + 1,
      looked_at: notes.lookedAt,
      failed_at: null,
      reason: null,
      not_before: null,
    })
    .where('source_id', '=', stored.sourceId)
    .where('repository_key', '=', stored.repository.toLowerCase())
    .where('version', '=', stored.version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export interface FailedHeads {
  /** Null: it may be wanted so, and leaves no gap. */
  readonly failedAt: Date | null
  readonly reason: string
  readonly notBefore: Date | null
}

export async function storeHeadsFailure(db: Queryable, place: HeardPlace, failure: FailedHeads): Promise<void> {
  await db
    .updateTable('recovery_heads')
    .set({ failed_at: failure.failedAt, reason: failure.reason, not_before: failure.notBefore })
    .where('source_id', '=', place.sourceId)
    .where('repository_key', '=', place.repository.toLowerCase())
    .execute()
}

/** Why a look that ended well made less than it saw. */
export async function storeReason(db: Queryable, place: HeardPlace, reason: string): Promise<void> {
  await db
    .updateTable('recovery_heads')
    .set({ reason })
    .where('source_id', '=', place.sourceId)
    .where('repository_key', '=', place.repository.toLowerCase())
    .execute()
}

/** The provider's pause holds for all repositories of the source. */
export async function pauseSource(db: Queryable, sourceId: string, until: Date): Promise<void> {
  await db.updateTable('recovery_heads').set({ not_before: until }).where('source_id', '=', sourceId).execute()
}

/** The next look only notes. */
export async function dropNotes(db: Queryable, place: HeardPlace): Promise<void> {
  await sql`
    update recovery_heads
    set heads = null, pulls = null, version = version + 1, failed_at = null, reason = null, not_before = null
    where source_id = ${place.sourceId} and repository_key = ${place.repository.toLowerCase()}
      and heads is not null`.execute(db)
}

/** Answers how many went. */
export async function dropUnheard(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from recovery_heads where (source_id, repository_key) in
      (select source_id, repository_key from recovery_heads where heard_at < ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

export async function dropHeadsOfSource(db: Queryable, sourceId: string): Promise<void> {
  await db.deleteFrom('recovery_heads').where('source_id', '=', sourceId).execute()
}

/** Where a ref was noted last; null: nowhere. */
export async function findNotedHead(db: Queryable, place: HeardPlace, ref: string): Promise<string | null> {
  const { rows } = await sql<{ note: string | null }>`
    select heads ->> ${ref} as note from recovery_heads
    where source_id = ${place.sourceId} and repository_key = ${place.repository.toLowerCase()}`.execute(db)
  return rows[0]?.note ?? null
}
