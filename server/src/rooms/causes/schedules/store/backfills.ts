import { sql } from 'kysely'
import { type Queryable, type RowOf, toCamel, toSnake } from '#platform/database'
import type { Window } from '#platform/http'
import type { Fire } from './fires.ts'

export type Backfill = RowOf<'schedule_backfills'>

export async function insertBackfill(db: Queryable, backfill: Backfill): Promise<void> {
  await db.insertInto('schedule_backfills').values(toSnake(backfill)).execute()
}

/** A backfill of this schedule, and of no other one. */
export interface BackfillKey {
  readonly id: string
  readonly scheduleId: string
}

export async function findBackfill(db: Queryable, key: BackfillKey): Promise<Backfill | undefined> {
  const row = await ofKey(db, key).executeTakeFirst()
  return row && toCamel(row)
}

/** Locked until the transaction ends: nobody starts runs of it meanwhile. */
export async function lockBackfill(db: Queryable, key: BackfillKey): Promise<Backfill | undefined> {
  const row = await ofKey(db, key).forUpdate().executeTakeFirst()
  return row && toCamel(row)
}

function ofKey(db: Queryable, { id, scheduleId }: BackfillKey) {
  return db.selectFrom('schedule_backfills').selectAll().where('id', '=', id).where('schedule_id', '=', scheduleId)
}

/** One that still runs, locked until the transaction ends; undefined where another process holds it. */
export async function claimBackfill(db: Queryable, id: string): Promise<Backfill | undefined> {
  const row = await db
    .selectFrom('schedule_backfills')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row && toCamel(row)
}

/** One that still runs. */
export async function findRunning(db: Queryable, id: string): Promise<Backfill | undefined> {
  const row = await db
    .selectFrom('schedule_backfills')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row && toCamel(row)
}

/** Newest first. */
export async function listBackfills(
  db: Queryable,
  { scheduleId, before, limit }: Window & { readonly scheduleId: string },
): Promise<Backfill[]> {
  let query = db
    .selectFrom('schedule_backfills')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.execute()).map(toCamel)
}

/** Those that run, of all schedules, oldest first, behind the id `after`. */
export async function listRunning(db: Queryable, after: string | undefined, limit: number): Promise<Backfill[]> {
  let query = db.selectFrom('schedule_backfills').selectAll().where('state', '=', 'running').orderBy('id').limit(limit)
  if (after !== undefined) query = query.where('id', '>', after)
  return (await query.execute()).map(toCamel)
}

export interface Range {
  readonly from: Date
  readonly to: Date
}

/** One of the schedule that runs and shares an instant with the range. */
export async function findRunningWithin(
  db: Queryable,
  scheduleId: string,
  { from, to }: Range,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('schedule_backfills')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('state', '=', 'running')
    .where('from_at', '<=', to)
    .where('to_at', '>=', from)
    .executeTakeFirst()
  return row?.id
}

export async function endBackfill(
  db: Queryable,
  id: string,
  { state, at }: { readonly state: 'finished' | 'canceled'; readonly at: Date },
): Promise<void> {
  await db.updateTable('schedule_backfills').set({ state, finished_at: at }).where('id', '=', id).execute()
}

/** How many fires of a backfill have an outcome. */
export interface OutcomeCount {
  readonly backfillId: string | null
  readonly outcome: Fire['outcome']
  readonly count: number
}

export async function countOutcomes(db: Queryable, backfillIds: readonly string[]): Promise<OutcomeCount[]> {
  if (backfillIds.length === 0) return []
  const rows = await db
    .selectFrom('schedule_fires')
    .select(['backfill_id', 'outcome', (of) => of.fn.countAll<number>().as('count')])
    .where('backfill_id', 'in', [...backfillIds])
    .groupBy(['backfill_id', 'outcome'])
    .execute()
  return rows.map(toCamel)
}

/** How many of these runs each of these backfills started. */
export async function countStartedAmong(
  db: Queryable,
  backfillIds: readonly string[],
  runIds: readonly string[],
): Promise<ReadonlyMap<string | null, number>> {
  if (backfillIds.length === 0 || runIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('schedule_fires')
    .select(['backfill_id', (of) => of.fn.countAll<number>().as('count')])
    .where('backfill_id', 'in', [...backfillIds])
    .where('run_id', 'in', [...runIds])
    .groupBy('backfill_id')
    .execute()
  return new Map(rows.map((row) => [row.backfill_id, row.count]))
}

export async function listStartedRuns(db: Queryable, backfillId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('schedule_fires')
    .select('run_id')
    .where('backfill_id', '=', backfillId)
    .where('run_id', 'is not', null)
    .execute()
  return rows.flatMap((row) => row.run_id ?? [])
}

/** The oldest instants that wait for their turn. Of a backfill that the transaction has locked. */
export async function listPending(db: Queryable, backfillId: string, limit: number): Promise<Fire[]> {
  const rows = await db
    .selectFrom('schedule_fires')
    .selectAll()
    .where('backfill_id', '=', backfillId)
    .where('outcome', '=', 'pending')
    .orderBy('planned_at')
    .limit(limit)
    .execute()
  return rows.map(toCamel)
}

export async function countPending(db: Queryable, backfillId: string): Promise<number> {
  const { count } = await db
    .selectFrom('schedule_fires')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('backfill_id', '=', backfillId)
    .where('outcome', '=', 'pending')
    .executeTakeFirstOrThrow()
  return count
}

export interface StartedFire {
  readonly id: string
  readonly runId: string
}

export async function markStarted(db: Queryable, started: readonly StartedFire[], at: Date): Promise<void> {
  await sql`
    update schedule_fires set outcome = 'started', run_id = given."runId", fired_at = ${at}
    from json_to_recordset(${JSON.stringify(started)}::json) as given(id uuid, "runId" uuid)
    where schedule_fires.id = given.id`.execute(db)
}

export interface PendingEnd {
  readonly outcome: 'denied' | 'invalid' | 'canceled'
  /** A sentence; null for what was canceled. */
  readonly reason: string | null
  readonly at: Date
  /** That they were to start: the schedule may have changed since they began to wait. */
  readonly pipeline?: string
}

/** All instants of a backfill that still wait. */
export async function endPending(
  db: Queryable,
  backfillId: string,
  { outcome, reason, at, pipeline }: PendingEnd,
): Promise<void> {
  await db
    .updateTable('schedule_fires')
    .set({ outcome, reason, fired_at: at, ...(pipeline === undefined ? {} : { pipeline }) })
    .where('backfill_id', '=', backfillId)
    .where('outcome', '=', 'pending')
    .execute()
}

/** Which of these nominal instants started a run of the schedule already, whoever asked for it. */
export async function listStartedInstants(
  db: Queryable,
  scheduleId: string,
  nominal: readonly Date[],
  planned: Range,
): Promise<Date[]> {
  if (nominal.length === 0) return []
  const rows = await db
    .selectFrom('schedule_fires')
    .select('nominal_at')
    .distinct()
    .where('schedule_id', '=', scheduleId)
    .where('planned_at', '>=', planned.from)
    .where('planned_at', '<=', planned.to)
    .where('outcome', '=', 'started')
    .where('nominal_at', 'in', [...nominal])
    .execute()
  return rows.map((row) => row.nominal_at)
}

/** Drops backfills that were over before the instant, with their fires; answers how many. */
export async function dropBackfills(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = db.selectFrom('schedule_backfills').select('id').where('finished_at', '<', before).limit(limit)
  const { numDeletedRows } = await db.deleteFrom('schedule_backfills').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
