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
  /** The newest deliveries of it: of anything, of a push, and of a change of a pull request. */
  readonly heardAt: Date
  readonly pushedAt: Date | null
  readonly pulledAt: Date | null
}

export interface HeardPlace {
  readonly sourceId: string
  readonly repository: string
}

/** A repository that an event told of. */
export interface HeardRepository extends HeardPlace {
  readonly eventId: string
  readonly pushId: string | null
  readonly pullId: string | null
}

/** Whoever may send to a source may name any repository that it admits. */
const MOST_OF_SOURCE = 1000

/** New ones come first in the next round. A source that told of too many is not asked for more of them. */
export async function noteHeard(db: Queryable, heard: readonly HeardRepository[]): Promise<void> {
  if (heard.length === 0) return
  const rows = heard.map(({ sourceId, repository, eventId, pushId, pullId }) => ({
    sourceId,
    repository,
    key: repository.toLowerCase(),
    at: madeAt(eventId),
    pushedAt: pushId && madeAt(pushId),
    pulledAt: pullId && madeAt(pullId),
  }))
  await sql`
    with heard as (
      select given.*, known.source_id is not null as is_known
      from json_to_recordset(${JSON.stringify(rows)}::json) as given("sourceId" uuid, repository text, key text,
        at timestamptz, "pushedAt" timestamptz, "pulledAt" timestamptz)
      left join recovery_heads as known on known.source_id = given."sourceId" and known.repository_key = given.key
    ), ranked as (
      select heard.*, row_number() over (partition by "sourceId", is_known order by key)
        + (select count(*) from recovery_heads where source_id = heard."sourceId") as place
      from heard
    )
    insert into recovery_heads as held (source_id, repository, repository_key, heard_at, pushed_at, pulled_at, turn_at)
    select "sourceId", repository, key, at, "pushedAt", "pulledAt", to_timestamp(0)
    from ranked where is_known or place <= ${MOST_OF_SOURCE}
    order by 1, 3
    on conflict (source_id, repository_key) do update
      set heard_at = greatest(held.heard_at, excluded.heard_at), repository = excluded.repository, next_at = null,
        pushed_at = greatest(held.pushed_at, excluded.pushed_at), pulled_at = greatest(held.pulled_at, excluded.pulled_at)
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

/** The sources that told of something. */
export async function listSources(db: Queryable): Promise<readonly string[]> {
  const rows = await db.selectFrom('recovery_heads').select('source_id').distinct().execute()
  return rows.map((row) => row.source_id)
}

export interface TurnsAsked {
  readonly sourceIds: readonly string[]
  /** Somebody asked for a look now: only the provider's own pauses hold. */
  readonly isAsked: boolean
  readonly heardSince: Date
  readonly now: Date
  readonly limit: number
}

/** Those of each source that were looked at longest ago come first: no source has more turns because it has more rows. */
export async function listTurns(db: Queryable, asked: TurnsAsked): Promise<readonly HeardPlace[]> {
  const { rows } = await sql<HeardPlace>`
    select source_id as "sourceId", repository from (
      select source_id, repository, turn_at, row_number() over (partition by source_id order by turn_at) as place
      from recovery_heads
      where source_id = any(${[...asked.sourceIds]}) and heard_at > ${asked.heardSince}
        and (not_before is null or not_before <= ${asked.now})
        and (${asked.isAsked} or next_at is null or next_at <= ${asked.now})
    ) as due
    order by place, turn_at limit ${asked.limit}`.execute(db)
  return rows
}

export async function findHeads(db: Queryable, place: HeardPlace): Promise<StoredHeads | undefined> {
  const row = await findOne(
    db
      .selectFrom('recovery_heads')
      .select([
        'source_id',
        'repository',
        'heads',
        'pulls',
        'version',
        'turn_at',
        'looked_at',
        'heard_at',
        'pushed_at',
        'pulled_at',
      ])
      .where('source_id', '=', place.sourceId)
      .where('repository_key', '=', place.repository.toLowerCase()),
  )
  if (!row) return undefined
  const { heads, pulls, lookedAt: at, ...others } = row
  const isNoted = at !== null && checkNotes.Check(heads) && checkNotes.Check(pulls)
  return { ...others, noted: isNoted ? { heads, pulls, at } : null }
}

/** False: another process has the turn. */
export async function takeTurn(
  db: Queryable,
  { turnAt, ...place }: HeardPlace & { readonly turnAt: Date },
  now: Date,
): Promise<boolean> {
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
  /** Null: in the next round. */
  readonly nextAt: Date | null
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
      next_at: notes.nextAt,
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
  readonly reason: string | null
  /** Null: in the next round. */
  readonly nextAt: Date | null
}

export async function storeHeadsFailure(db: Queryable, place: HeardPlace, failure: FailedHeads): Promise<void> {
  await db
    .updateTable('recovery_heads')
    .set({ failed_at: failure.failedAt, reason: failure.reason, next_at: failure.nextAt })
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

/** No repository of the source is looked at before; one that the provider asked for holds whoever asks. */
export async function pauseSource(
  db: Queryable,
  sourceId: string,
  { until, isAskedFor }: { readonly until: Date; readonly isAskedFor: boolean },
): Promise<void> {
  const pause = isAskedFor ? { not_before: until } : { next_at: until }
  await db.updateTable('recovery_heads').set(pause).where('source_id', '=', sourceId).execute()
}

/** What went wrong with a source that is compared no longer leaves no gap. */
export async function clearFailures(db: Queryable, sourceId: string): Promise<void> {
  await db
    .updateTable('recovery_heads')
    .set({ failed_at: null, reason: null, not_before: null, next_at: null })
    .where('source_id', '=', sourceId)
    .where((is) => is.or([is('failed_at', 'is not', null), is('reason', 'is not', null)]))
    .execute()
}

/** The next look at each repository only notes. False: nothing was noted. */
export async function dropNotes(db: Queryable, sourceId: string): Promise<boolean> {
  const result = await sql`
    update recovery_heads
    set heads = null, pulls = null, version = version + 1, failed_at = null, reason = null, not_before = null,
      next_at = null
    where source_id = ${sourceId} and heads is not null`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
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
