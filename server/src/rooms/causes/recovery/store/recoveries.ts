import { sql } from 'kysely'
import { type Queryable, type RowOf, toCamel } from '#platform/database'
import type { Window } from '#platform/http'
import { dropHeadsOfSource } from './heads.ts'
import type { LogPlace } from './logs.ts'

export type StoredRecovery = RowOf<'recoveries'>

export interface MissedDelivery {
  readonly id: string
  readonly deliveryId: string
  readonly attemptId: string
  readonly eventType: string
  readonly missedAt: Date
}

/** Of these ids of the provider: those that have a row, whatever became of them. */
export async function findNoted(
  db: Queryable,
  sourceId: string,
  deliveryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (deliveryIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('recoveries')
    .select('provider_delivery_id')
    .where('source_id', '=', sourceId)
    .where('provider_delivery_id', 'in', deliveryIds)
    .execute()
  return new Set(rows.map((row) => row.provider_delivery_id))
}

/** A delivery that is known already keeps its row; one that is still missing learns of its newest attempt. */
export async function noteMissed(
  db: Queryable,
  place: LogPlace,
  missed: readonly MissedDelivery[],
  now: Date,
): Promise<void> {
  if (missed.length === 0) return
  await db
    .insertInto('recoveries')
    .values(
      missed.map((one) => ({
        id: one.id,
        source_id: place.sourceId,
        repository: place.repository,
        provider_delivery_id: one.deliveryId,
        attempt_id: one.attemptId,
        event_type: one.eventType,
        missed_at: one.missedAt,
        next_try_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['source_id', 'provider_delivery_id']).doNothing())
    .execute()
}

/** Those that are neither here nor given up, oldest first. */
export async function listMissing(db: Queryable, place: LogPlace, limit: number): Promise<StoredRecovery[]> {
  const rows = await db
    .selectFrom('recoveries')
    .selectAll()
    .where('source_id', '=', place.sourceId)
    .where('repository', '=', place.repository)
    .where('recovered_at', 'is', null)
    .where('given_up_reason', 'is', null)
    .orderBy('missed_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toCamel)
}

/** False: another process has asked for it meanwhile, or it came. */
export async function reserveTry(
  db: Queryable,
  { id, tries }: Pick<StoredRecovery, 'id' | 'tries'>,
  at: { readonly now: Date; readonly next: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('recoveries')
    .set({ tries: tries + 1, requested_at: at.now, next_try_at: at.next })
    .where('id', '=', id)
    .where('tries', '=', tries)
    .where('recovered_at', 'is', null)
    .where('given_up_reason', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The request was not taken: it counts for nothing. */
export async function returnTry(db: Queryable, { id, tries }: Pick<StoredRecovery, 'id' | 'tries'>, next: Date) {
  await db
    .updateTable('recoveries')
    .set({ tries, next_try_at: next })
    .where('id', '=', id)
    .where('tries', '=', tries + 1)
    .execute()
}

export interface MadeRecovery {
  readonly id: string
  readonly sourceId: string
  readonly repository: string
  /** Stands for the id of a delivery: the same for the same change. */
  readonly deliveryId: string
  readonly eventId: string
  readonly deliveryRecordId: string
  readonly eventType: string
  readonly ref: string | null
  readonly before: string | null
  readonly head: string
  readonly missedAt: Date
  readonly madeAt: Date
}

/** False: it was made before. */
export async function noteMade(db: Queryable, made: MadeRecovery): Promise<boolean> {
  const result = await db
    .insertInto('recoveries')
    .values({
      id: made.id,
      source_id: made.sourceId,
      repository: made.repository.toLowerCase(),
      kind: 'made',
      provider_delivery_id: made.deliveryId,
      attempt_id: '',
      event_type: made.eventType,
      ref: made.ref,
      before_sha: made.before,
      head_sha: made.head,
      missed_at: made.missedAt,
      recovered_at: made.madeAt,
      event_id: made.eventId,
      delivery_record_id: made.deliveryRecordId,
      next_try_at: made.madeAt,
    })
    .onConflict((conflict) => conflict.columns(['source_id', 'provider_delivery_id']).doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export interface MadeAsked {
  readonly sourceId: string
  readonly repository: string
  readonly ref: string | null
  readonly head: string
  readonly since: Date
}

/** When the newest event of the ref with this head was made since then; undefined: none was. */
export async function findLastMade(db: Queryable, asked: MadeAsked): Promise<Date | undefined> {
  const row = await db
    .selectFrom('recoveries')
    .select('recovered_at')
    .where('source_id', '=', asked.sourceId)
    .where('repository', '=', asked.repository.toLowerCase())
    .where('kind', '=', 'made')
    .where('ref', asked.ref === null ? 'is' : '=', asked.ref)
    .where('head_sha', '=', asked.head)
    .where('recovered_at', '>', asked.since)
    .orderBy('recovered_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.recovered_at ?? undefined
}

/** Answers whether it was missing until now. */
export async function markRecovered(
  db: Queryable,
  id: string,
  arrival: { readonly receivedAt: Date; readonly deliveryRecordId: string },
): Promise<boolean> {
  const result = await db
    .updateTable('recoveries')
    .set({ recovered_at: arrival.receivedAt, delivery_record_id: arrival.deliveryRecordId })
    .where('id', '=', id)
    .where('recovered_at', 'is', null)
    .where('given_up_reason', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Answers whether it was missing until now. */
export async function giveUp(db: Queryable, id: string, reason: string): Promise<boolean> {
  const result = await db
    .updateTable('recoveries')
    .set({ given_up_reason: reason })
    .where('id', '=', id)
    .where('recovered_at', 'is', null)
    .where('given_up_reason', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function listRecoveries(
  db: Queryable,
  { sourceId, before, limit }: Window & { readonly sourceId: string },
): Promise<StoredRecovery[]> {
  let query = db.selectFrom('recoveries').selectAll().where('source_id', '=', sourceId)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toCamel)
}

export interface Arrival {
  readonly sourceId: string
  /** The provider's. */
  readonly deliveryId: string
  readonly deliveryRecordId: string
  readonly receivedAt: Date
}

/**
 * By the ids of the records: when those were missed that came back. Until a look has said which record that is, it is what
 * came after the request.
 */
export async function findMissed(db: Queryable, arrivals: readonly Arrival[]): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ readonly deliveryRecordId: string; readonly missedAt: Date }>`
    select came.id as "deliveryRecordId", recoveries.missed_at as "missedAt"
    from unnest(${arrivals.map(({ sourceId }) => sourceId)}::uuid[], ${arrivals.map((each) => each.deliveryId)}::text[],
      ${arrivals.map((each) => each.deliveryRecordId)}::uuid[], ${arrivals.map((each) => each.receivedAt)}::timestamptz[])
      as came(source_id, provider_delivery_id, id, received_at)
    join recoveries on recoveries.source_id = came.source_id
      and recoveries.provider_delivery_id = came.provider_delivery_id
    where coalesce(recoveries.delivery_record_id = came.id, recoveries.requested_at <= came.received_at)`.execute(db)
  return new Map(rows.map(({ deliveryRecordId, missedAt }) => [deliveryRecordId, missedAt]))
}

export interface Standing {
  readonly lookedAt: Date | null
  readonly seenUntil: Date | null
  readonly failedAt: Date | null
  readonly reason: string | null
  readonly missing: number
  readonly oldestMissingAt: Date | null
  readonly recovered: number
}

export async function readStanding(db: Queryable, sourceId: string, since: Date): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select logs.*, missed.* from
      (select max(looked_at) as "lookedAt", min(seen_until) as "seenUntil", max(failed_at) as "failedAt",
        (array_agg(reason order by failed_at desc nulls last, reason) filter (where reason is not null))[1] as reason
        from (
          select looked_at, seen_until, failed_at, reason from recovery_logs where source_id = ${sourceId}
          union all
          select looked_at, looked_at, failed_at, reason from recovery_heads where source_id = ${sourceId}
        ) as looks) as logs,
      (select count(*) filter (where recovered_at is null and given_up_reason is null)::int as missing,
        min(missed_at) filter (where recovered_at is null and given_up_reason is null) as "oldestMissingAt",
        count(*) filter (where recovered_at >= ${since})::int as recovered
        from recoveries where source_id = ${sourceId}) as missed`.execute(db)
  const [standing] = rows
  if (!standing) throw new Error('a query of totals answered no row')
  return standing
}

/** At most `limit` at a time; answers how many went. */
export async function dropRecoveries(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from recoveries where id in
      (select id from recoveries where missed_at < ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

export async function dropOfSource(db: Queryable, sourceId: string): Promise<void> {
  await db.deleteFrom('recoveries').where('source_id', '=', sourceId).execute()
  await db.deleteFrom('recovery_logs').where('source_id', '=', sourceId).execute()
  await dropHeadsOfSource(db, sourceId)
}
