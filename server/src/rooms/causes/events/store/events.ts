import type { Event } from '@signalbox/contracts/event'
import { Event as EventSchema } from '@signalbox/contracts/event'
import type { EventResult, EventTrace } from '@signalbox/contracts/events'
import type { Principal } from '@signalbox/contracts/http'
import { sql } from 'kysely'
import { Compile } from 'typebox/compile'
import { type Database, type DayPartitions, dayPartitions, type Queryable, type Statement } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import type { Clock } from '#platform/time'
import type { SettledResult, Telling } from '../rules/index.ts'

/** The table is kept by day; the events of a delivery go with its record. */
export function keptDays(given: { readonly database: Database; readonly clock: Clock }): DayPartitions {
  return dayPartitions(given, 'trigger_events')
}

export interface TriggerEventRow {
  readonly eventId: string
  readonly event: Event
  readonly sourceId: string | null
  readonly deliveryRecordId: string | null
  readonly replayOf: string | null
  readonly receivedAt: Date
  /** The triggers that the repository has to decide; null: everything is decided. */
  readonly pending: { readonly triggers: readonly string[] } | null
  /** Set for a change of a ref without a time. */
  readonly refChange: RefChange | undefined
  /** 64 hex digits: waits for whoever makes an event of the same change; undefined: nobody does. */
  readonly changeKey: string | undefined
  readonly result: EventResult
  /** Set for an event without a delivery. */
  readonly posted?: Posted | undefined
}

export interface Posted {
  readonly by: Principal
  /** The team whose members see the event, beside the poster. */
  readonly teamPath: string
  readonly trace: EventTrace
  /** The run of an event that named its pipeline. */
  readonly directRunId: string | undefined
}

/** 64 hex digits each: the hook and ref, and the change. */
export interface RefChange {
  readonly key: string
  readonly change: string
}

/** One statement for any number of events: it is part of the group commit of deliveries. */
export function insertEvents(rows: readonly TriggerEventRow[]): Statement {
  const keys = rows.flatMap(({ changeKey }) => changeKey ?? [])
  return { text: INSERT_EVENTS, values: [JSON.stringify(rows.map(toRow)), `{${keys.join()}}`] }
}

const COLUMNS = `id, source_id, delivery_record_id, replay_of, kind, action, provider, repository, ref, commit_sha, event,
  before_sha, resolution, deferred_triggers, tries, ref_key, ref_change, received_at, result, trace, poster_kind, poster_id,
  poster_name, team_path, direct_run_id`

/** Whoever makes an event holds its row: what is told meanwhile waits for that, and is then found to be told already. */
const INSERT_EVENTS = `
  with held as materialized (
    select 1 from suspected_changes
    where made_at is null and change_key in (select decode(key, 'hex') from unnest($2::text[]) as key)
    for share
  )
  insert into trigger_events (${COLUMNS})
  select ${COLUMNS} from json_populate_recordset(null::trigger_events, $1::json)
  where (select count(*) from held) >= 0`

/**
 * Written out, because `toSnake` costs time here (see `storeDeliveries`). The row leaves null fields out: each field is
 * read.
 */
function toRow(row: TriggerEventRow) {
  const {
    eventId: id,
    event,
    sourceId,
    deliveryRecordId,
    replayOf,
    receivedAt,
    pending,
    refChange,
    result,
    posted,
  } = row
  return {
    id,
    source_id: sourceId ?? undefined,
    delivery_record_id: deliveryRecordId ?? undefined,
    replay_of: replayOf ?? undefined,
    kind: event.kind,
    action: event.action ?? undefined,
    provider: event.provider,
    repository: event.repository.full_name,
    ref: event.ref ?? undefined,
    commit_sha: event.after ?? undefined,
    before_sha: event.kind === 'push' || event.kind === 'branch_deleted' ? (event.before ?? undefined) : undefined,
    event: deliveryRecordId === null || pending ? event : undefined,
    resolution: pending ? 'pending' : undefined,
    deferred_triggers: pending?.triggers,
    tries: pending ? 0 : undefined,
    ref_key: refChange && `\\x${refChange.key}`,
    ref_change: refChange && `\\x${refChange.change}`,
    received_at: receivedAt,
    result,
    trace: posted?.trace,
    poster_kind: posted?.by.kind,
    poster_id: posted?.by.id,
    poster_name: posted?.by.name,
    team_path: posted?.teamPath,
    direct_run_id: posted?.directRunId,
  }
}

/** More changes of one ref, all of them while the first still counts as told, are no person's. */
const MAX_TELLINGS = 1000

export interface TellingsAsked {
  readonly key: string
  readonly since: Date
}

/** The tellings about refs since the given instants, oldest first. */
export async function findTellings(
  db: Queryable,
  asked: readonly TellingsAsked[],
): Promise<readonly (Telling & { readonly key: string; readonly eventId: string })[]> {
  const { rows } = await sql<Telling & { readonly key: string; readonly eventId: string }>`
    select asked.key, told.id as "eventId", told.kind, encode(told.ref_change, 'hex') as change, told.received_at as at
    from unnest(${asked.map((one) => one.key)}::text[],
      ${asked.map((one) => lowestIdOf(one.since.getTime()))}::uuid[]) as asked(key, since)
    cross join lateral (
      select id, kind, ref_change, received_at from trigger_events
      where ref_key = decode(asked.key, 'hex') and id >= asked.since
      order by id desc limit ${MAX_TELLINGS}
    ) as told
    order by told.id`.execute(db)
  return rows
}

/** Undefined for a posted event, and for one whose time is over. */
export async function findSourceOf(db: Queryable, eventId: string): Promise<string | undefined> {
  const row = await db.selectFrom('trigger_events').select('source_id').where('id', '=', eventId).executeTakeFirst()
  return row?.source_id ?? undefined
}

/** An event that waits for what its repository says. */
export interface PendingEvent {
  readonly eventId: string
  readonly event: Event
  readonly sourceId: string
  readonly deliveryRecordId: string
  readonly replayOf: string | null
  readonly receivedAt: Date
  readonly deferredTriggers: readonly string[]
  /** This one included. */
  readonly tries: number
}

const checkEvent = Compile(EventSchema)

/** Counts the try, so that a repository that cannot be read is not asked for ever. Undefined: decided already. */
export async function takePending(db: Queryable, eventId: string): Promise<PendingEvent | undefined> {
  const row = await db
    .updateTable('trigger_events')
    .set((is) => ({ tries: is('tries', '+', 1) }))
    .where('id', '=', eventId)
    .where('resolution', '=', 'pending')
    .returning([
      'id',
      'event',
      'source_id',
      'delivery_record_id',
      'replay_of',
      'received_at',
      'deferred_triggers',
      'tries',
    ])
    .executeTakeFirst()
  if (!row || row.source_id === null || row.delivery_record_id === null || !checkEvent.Check(row.event))
    return undefined
  return {
    eventId: row.id,
    event: row.event,
    sourceId: row.source_id,
    deliveryRecordId: row.delivery_record_id,
    replayOf: row.replay_of,
    receivedAt: row.received_at,
    deferredTriggers: row.deferred_triggers ?? [],
    tries: row.tries ?? 1,
  }
}

/** False: another one decided it. Holds the row until the transaction ends. */
export async function markResolved(db: Queryable, eventId: string, result: SettledResult): Promise<boolean> {
  const row = await db
    .updateTable('trigger_events')
    .set({ resolution: 'done', result })
    .where('id', '=', eventId)
    .where('resolution', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Sets the result of a decided event where an earlier result says more than the last one. */
export async function correctResult(db: Queryable, eventId: string, result: SettledResult): Promise<void> {
  await db.updateTable('trigger_events').set({ result }).where('id', '=', eventId).execute()
}

export interface ForgottenEvent {
  readonly eventId: string
  readonly sourceId: string | null
  readonly repository: string
}

/** Events that came before the instant and still wait: their job was lost, or failed more often than jobs are tried. */
export async function listForgotten(db: Queryable, before: Date, limit: number): Promise<readonly ForgottenEvent[]> {
  return await db
    .selectFrom('trigger_events')
    .select(['id as eventId', 'source_id as sourceId', 'repository'])
    .where('resolution', '=', 'pending')
    .where('received_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** An event that can no longer be read waits for nothing. Answers whether it was one. */
export async function closeUnreadable(db: Queryable, eventId: string): Promise<boolean> {
  const row = await db
    .selectFrom('trigger_events')
    .select(['event', 'source_id', 'delivery_record_id'])
    .where('id', '=', eventId)
    .where('resolution', '=', 'pending')
    .executeTakeFirst()
  const readable = row && row.source_id !== null && row.delivery_record_id !== null && checkEvent.Check(row.event)
  if (!row || readable) return false
  return markResolved(db, eventId, 'ignored')
}
