import { EventTrace } from '@signalbox/contracts/events'
import { type Selectable, sql } from 'kysely'
import { Compile } from 'typebox/compile'
import { type DB, type Queryable, type RowOf, toCamel, withinPrefixes } from '#platform/database'
import type { Caller, Window } from '#platform/http'
import { lowestIdOf } from '#platform/ids'

const COLUMNS = [
  'id',
  'source_id',
  'delivery_record_id',
  'replay_of',
  'kind',
  'action',
  'provider',
  'repository',
  'ref',
  'commit_sha',
  'result',
  'poster_kind',
  'poster_id',
  'poster_name',
  'team_path',
  'direct_run_id',
  'received_at',
] as const

export type EventRow = RowOf<'trigger_events', (typeof COLUMNS)[number]>

/**
 * The events in question: those of sources, and posted events that the reader posted or whose team lies at or below a
 * prefix.
 */
export interface EventScope {
  readonly sourceIds: readonly string[]
  readonly posted: { readonly by: Caller; readonly prefixes: readonly string[] } | undefined
}

export interface EventFilter extends Window, EventScope {
  /** In whatever case. */
  readonly repository: string | undefined
  /** The first digits of the commit, in lower case. */
  readonly commit?: string | undefined
  /** Any of these full refs, of one repository: each has its own place in the index. */
  readonly refs?: readonly string[] | undefined
  readonly kind: string | undefined
  readonly result: EventRow['result'] | undefined
  readonly since: Date | undefined
  readonly until: Date | undefined
}

/**
 * Newest first. Each source and each kind of posted event is read by its own index, so that a quiet source beside a busy
 * one costs nothing.
 */
export async function listEvents(db: Queryable, filter: EventFilter): Promise<EventRow[]> {
  const { sourceIds, posted, refs, limit } = filter
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  const tail = sql`${sql.join(narrowed(filter), sql` and `)} order by id desc limit ${limit}`
  const ofRefs = refs ? sql`cross join unnest(${[...new Set(refs)]}::text[]) as wanted(ref)` : sql``
  const ofRef = refs ? sql`and trigger_events.ref = wanted.ref` : sql``
  const parts = [
    sql`select told.* from unnest(${[...sourceIds]}::uuid[]) as asked(source_id) ${ofRefs} cross join lateral
      (select ${columns} from trigger_events where source_id = asked.source_id ${ofRef} and ${tail}) as told`,
  ]
  if (posted) {
    const own = sql`source_id is null and poster_kind = ${posted.by.kind} and poster_id = ${posted.by.id}`
    // A token with limits sees what these leave, and not all that its owner posted.
    const seesOwn = !posted.by.token?.limits
    const others = seesOwn ? sql`and not (${own})` : sql``
    const ofTeams = sql`source_id is null and ${withinPrefixes('team_path', posted.prefixes)} ${others}`
    const anyRef = refs ? sql`and ref = any(${[...refs]}::text[])` : sql``
    if (seesOwn) parts.push(sql`(select ${columns} from trigger_events where ${own} ${anyRef} and ${tail})`)
    parts.push(sql`(select ${columns} from trigger_events where ${ofTeams} ${anyRef} and ${tail})`)
  }
  const { rows } = await sql<Pick<Selectable<DB['trigger_events']>, (typeof COLUMNS)[number]>>`
    select * from (${sql.join(parts, sql` union all `)}) as listed order by id desc limit ${limit}`.execute(db)
  return rows.map(toCamel)
}

function narrowed({ before, repository, commit, kind, result, since, until }: EventFilter) {
  const conditions = [sql`true`]
  if (before !== undefined) conditions.push(sql`id < ${before}`)
  // The id of an event is made when it is received.
  if (since !== undefined) conditions.push(sql`id >= ${lowestIdOf(since.getTime())}`)
  if (until !== undefined) conditions.push(sql`id < ${lowestIdOf(until.getTime())}`)
  if (repository !== undefined) conditions.push(sql`lower(repository) = lower(${repository})`)
  // `g` comes after every digit. What is not null is said for the planner: the index has nothing else.
  if (commit !== undefined) {
    conditions.push(sql`commit_sha is not null`)
    conditions.push(sql`commit_sha collate "C" >= ${commit} and commit_sha collate "C" < ${`${commit}g`}`)
  }
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`)
  if (result !== undefined) conditions.push(sql`result = ${result}`)
  return conditions
}

const checkTrace = Compile(EventTrace)

/** With the trace of a posted event; null: the record of its delivery has it. */
export interface StoredEvent extends EventRow {
  readonly trace: EventTrace | null
}

export async function findEvent(db: Queryable, id: string): Promise<StoredEvent | undefined> {
  const row = await db
    .selectFrom('trigger_events')
    .select([...COLUMNS, 'trace'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...toCamel(row), trace: checkTrace.Check(row.trace) ? row.trace : null }
}
