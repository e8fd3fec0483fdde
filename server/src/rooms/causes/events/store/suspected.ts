import { type RawBuilder, sql } from 'kysely'
import { findOne, type Queryable, type RowOf, type Tx, toCamel } from '#platform/database'

/** A head that no delivery told of, of a branch or a pull request. */
export interface SuspectedChange {
  readonly id: string
  /** 64 hex digits. */
  readonly changeKey: string
  readonly sourceId: string
  /** The full name. */
  readonly repository: string
  readonly ref: string | null
  readonly pullRequest: number | null
  readonly before: string | null
  readonly head: string
  readonly headAt: Date | null
  readonly notedAt: Date
}

const COLUMNS = [
  'id',
  'ref',
  'pull_request',
  'before_sha',
  'head_sha',
  'head_at',
  'noted_at',
  'suspected_at',
  'since',
] as const

export type StoredSuspicion = RowOf<'suspected_changes', (typeof COLUMNS)[number]>

/** Suspected again with the same head it keeps its times; with another head, only since when something is untold. */
export async function suspect(db: Queryable, changes: readonly SuspectedChange[], now: Date): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map((change) => ({
    id: change.id,
    change_key: `\\x${change.changeKey}`,
    source_id: change.sourceId,
    repository: change.repository.toLowerCase(),
    ref: change.ref,
    pull_request: change.pullRequest,
    before_sha: change.before,
    head_sha: change.head,
    head_at: change.headAt,
    noted_at: change.notedAt,
    suspected_at: now,
    since: now,
  }))
  await sql`
    insert into suspected_changes as held
    select * from json_populate_recordset(null::suspected_changes, ${JSON.stringify(rows)}::json) order by change_key
    on conflict (change_key) where made_at is null do update
      set head_sha = excluded.head_sha, head_at = excluded.head_at, before_sha = excluded.before_sha,
        suspected_at = case when held.head_sha = excluded.head_sha then held.suspected_at else excluded.suspected_at end`.execute(
    db,
  )
}

/** Those of a repository that nobody has made yet. */
export async function listSuspected(
  db: Queryable,
  sourceId: string,
  repository: string,
): Promise<readonly StoredSuspicion[]> {
  const rows = await db
    .selectFrom('suspected_changes')
    .select(COLUMNS)
    .where('source_id', '=', sourceId)
    .where('repository', '=', repository.toLowerCase())
    .where('made_at', 'is', null)
    .orderBy('suspected_at')
    .orderBy('id')
    .execute()
  return rows.map(toCamel)
}

/** What was told after all, or is gone. */
export async function dropSuspected(db: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('suspected_changes').where('id', 'in', ids).where('made_at', 'is', null).execute()
}

/** Held until the transaction ends: deliveries of the same change wait for it. Undefined: it was made, or is dropped. */
export async function holdSuspected(tx: Tx, id: string): Promise<StoredSuspicion | undefined> {
  return findOne(
    tx.selectFrom('suspected_changes').select(COLUMNS).where('id', '=', id).where('made_at', 'is', null).forUpdate(),
  )
}

export interface MadeEvent {
  readonly eventId: string
  readonly deliveryRecordId: string
  readonly madeAt: Date
}

export async function markMade(tx: Tx, id: string, made: MadeEvent): Promise<void> {
  await tx
    .updateTable('suspected_changes')
    .set({ made_at: made.madeAt, made_event_id: made.eventId, made_delivery_id: made.deliveryRecordId })
    .where('id', '=', id)
    .execute()
}

export interface StoredMade {
  readonly id: string
  readonly changeKey: string
  readonly sourceId: string
  readonly repository: string
  readonly ref: string | null
  readonly pullRequest: number | null
  readonly before: string | null
  readonly head: string
  readonly headAt: Date | null
  readonly endedAt: Date | null
  readonly madeAt: Date
  readonly eventId: string
  readonly deliveryRecordId: string
  /** No rule took the event: what comes late says more (who pushed, which commits), and may still start something. */
  readonly startedNothing: boolean
}

/** Made since, by the keys of their changes. */
export async function findMade(db: Queryable, keys: readonly string[], since: Date): Promise<readonly StoredMade[]> {
  return (await madeQuery(keys, since).execute(db)).rows
}

/** By the index of keys. */
export function madeQuery(keys: readonly string[], since: Date): RawBuilder<StoredMade> {
  return sql<StoredMade>`
    select id, encode(change_key, 'hex') as "changeKey", source_id as "sourceId", repository, ref,
      pull_request as "pullRequest", before_sha as before, head_sha as head, head_at as "headAt", ended_at as "endedAt",
      made_at as "madeAt", made_event_id as "eventId", made_delivery_id as "deliveryRecordId",
      exists (
        select from trigger_events
        where trigger_events.id = made_event_id and trigger_events.result in ('ignored', 'refused')
      ) as "startedNothing"
    from suspected_changes
    where change_key in (select decode(key, 'hex') from unnest(${[...new Set(keys)]}::text[]) as key) and made_at > ${since}
    order by made_at, id`
}

/** Where events that were made since left their branches and pull requests, less those that are gone; the newest last. */
export async function listMade(
  db: Queryable,
  { sourceId, repository, since }: { readonly sourceId: string; readonly repository: string; readonly since: Date },
): Promise<readonly Pick<StoredMade, 'ref' | 'pullRequest' | 'head'>[]> {
  return await db
    .selectFrom('suspected_changes')
    .select(['ref', 'pull_request as pullRequest', 'head_sha as head'])
    .where('source_id', '=', sourceId)
    .where('repository', '=', repository.toLowerCase())
    .where('made_at', '>', since)
    .where('ended_at', 'is', null)
    .orderBy('made_at')
    .execute()
}

/** What was made of these branches and pull requests covers nothing that comes from `at` on: they are gone. */
export async function endMade(db: Queryable, keys: readonly string[], at: Date): Promise<void> {
  if (keys.length === 0) return
  await sql`
    update suspected_changes set ended_at = ${at}
    where change_key in (select decode(key, 'hex') from unnest(${[...new Set(keys)]}::text[]) as key)
      and made_at is not null and ended_at is null`.execute(db)
}

/** All of a repository, or of a source: what comes from now on is compared with nothing. */
export async function forgetChanges(db: Queryable, sourceId: string, repository?: string): Promise<void> {
  let query = db.deleteFrom('suspected_changes').where('source_id', '=', sourceId)
  if (repository !== undefined) query = query.where('repository', '=', repository.toLowerCase())
  await query.execute()
}

/** At most `limit` at a time. Answers how many went. */
export async function dropSuspectedBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from suspected_changes where id in
      (select id from suspected_changes where suspected_at < ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
