import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#platform/database'
import { lowestIdOf } from '#platform/ids'

/** A change that an event told of; null is no commit, or one that the event does not name. */
export interface ToldChange {
  readonly eventId: string
  readonly kind: string
  readonly ref: string | null
  readonly before: string | null
  readonly after: string | null
  /** Null: it was posted. */
  readonly deliveryRecordId: string | null
}

/** More of one repository, within the time of two looks, are no person's. */
export const MOST_TOLD = 5000
/** What tells where a ref is. */
export const REF_KINDS = ['push', 'branch_deleted'] as const

export interface ToldAsked {
  readonly sourceId: string
  readonly repository: string
  readonly since: Date
  readonly kinds: readonly string[]
  /** Left out: all of them. */
  readonly refs?: readonly string[]
}

/** The changes that a source told of in a repository, oldest first; the newest of them where there are too many. */
export async function listTold(db: Queryable, asked: ToldAsked): Promise<readonly ToldChange[]> {
  return (await toldQuery(asked).execute(db)).rows.toReversed()
}

/** By the index of source and repository. */
export function toldQuery(asked: ToldAsked): RawBuilder<ToldChange> {
  const ofRefs = asked.refs === undefined ? sql`` : sql`and ref = any(${[...asked.refs]})`
  return sql<ToldChange>`
    select id as "eventId", kind, ref, before_sha as before, commit_sha as after,
      delivery_record_id as "deliveryRecordId"
    from trigger_events
    where source_id = ${asked.sourceId} and lower(repository) = ${asked.repository.toLowerCase()}
      and id >= ${lowestIdOf(asked.since.getTime())} and replay_of is null and kind = any(${[...asked.kinds]})
      ${ofRefs}
    order by id desc limit ${MOST_TOLD}`
}

/**
 * Whether a delivery told something new of a ref since then: neither what this service made itself nor a repetition, as
 * one of those says nothing of where the ref is now.
 */
export async function cameSince(
  db: Queryable,
  { sourceId, repository, ref, since }: Omit<ToldAsked, 'kinds' | 'refs'> & { readonly ref: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from trigger_events as event
    where source_id = ${sourceId} and lower(repository) = ${repository.toLowerCase()}
      and id >= ${lowestIdOf(since.getTime())} and replay_of is null and ref = ${ref} and result <> 'duplicate'
      and not exists (select 1 from suspected_changes where made_event_id = event.id)
    limit 1`.execute(db)
  return rows.length > 0
}

/** A pull request as the events of a source told of it last. */
export interface ToldHead {
  readonly number: number
  /** The whole name, or its beginning; null: neither was told. */
  readonly head: string | null
}

export async function listToldHeads(
  db: Queryable,
  sourceId: string,
  repository: string,
  numbers: readonly number[],
): Promise<readonly ToldHead[]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<ToldHead>`
    select number, coalesce(head_sha, pull_request -> 'head' ->> 'sha_prefix') as head
    from pull_request_heads
    where source_id = ${sourceId} and repository = ${repository.toLowerCase()} and number = any(${[...numbers]})`.execute(
    db,
  )
  return rows
}

export interface HeardRepository {
  readonly sourceId: string
  readonly repository: string
  /** The newest of it that was read, and the newest push and change of a pull request; null: none of them. */
  readonly eventId: string
  readonly pushId: string | null
  readonly pullId: string | null
}

export interface Heard {
  readonly repositories: readonly HeardRepository[]
  /** The newest that was read; undefined: there was none. */
  readonly lastEventId: string | undefined
}

/** The repositories that deliveries told of in the next events behind one, at most `limit` events. */
export async function listHeard(db: Queryable, afterEventId: string, limit: number): Promise<Heard> {
  const { rows } = await heardQuery(afterEventId, limit).execute(db)
  return {
    repositories: rows.flatMap(({ lastEventId: _last, ...heard }) => (heard.sourceId ? [heard] : [])),
    lastEventId: rows[0]?.lastEventId,
  }
}

/** By the key alone, in its order. What this service made, or was run again, says nothing of what a webhook sends. */
export function heardQuery(
  afterEventId: string,
  limit: number,
): RawBuilder<HeardRepository & { readonly lastEventId: string }> {
  return sql<HeardRepository & { readonly lastEventId: string }>`
    with read as materialized (
      select id, source_id, repository, kind, replay_of from trigger_events
      where id > ${afterEventId} order by id limit ${limit}
    ), told as (
      select * from read where source_id is not null and replay_of is null
        and not exists (select 1 from suspected_changes where made_event_id = read.id)
    )
    select source_id as "sourceId", (array_agg(repository order by told.id desc))[1] as repository,
      (array_agg(told.id order by told.id desc))[1] as "eventId",
      (array_agg(told.id order by told.id desc) filter (where kind = 'push'))[1] as "pushId",
      (array_agg(told.id order by told.id desc) filter (where kind = 'pull_request'))[1] as "pullId",
      last.id as "lastEventId"
    from (select id from read order by id desc limit 1) as last left join told on true
    group by last.id, source_id, lower(repository)`
}
