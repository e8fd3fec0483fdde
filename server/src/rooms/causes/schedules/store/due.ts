import { sql } from 'kysely'
import { type Queryable, toCamel } from '#platform/database'
import type { Schedule } from './schedules.ts'

export interface DueFilter {
  readonly now: Date
  readonly limit: number
  /** Those that name a repository, or those that do not. */
  readonly namesRepository: boolean
  /** Left out: somebody is at them. */
  readonly except?: readonly string[]
}

/** Schedules whose time has come, the longest due first. Not locked: what follows may ask a repository. */
export async function listDue(
  db: Queryable,
  { now, limit, namesRepository, except = [] }: DueFilter,
): Promise<Schedule[]> {
  const dueAt = sql<Date>`coalesce(retry_at, next_fire_at)`
  let query = db
    .selectFrom('schedules')
    .selectAll()
    .where('next_fire_at', 'is not', null)
    .where(dueAt, '<=', now)
    .where('repository', namesRepository ? 'is not' : 'is', null)
    .orderBy(dueAt)
    .orderBy('id')
    .limit(limit)
  if (except.length > 0) query = query.where('id', 'not in', [...except])
  return (await query.execute()).map(toCamel)
}

/** When the next schedule becomes due; undefined: none ever does. */
export async function findNextDue(db: Queryable): Promise<Date | undefined> {
  const row = await db
    .selectFrom('schedules')
    .select(sql<Date>`coalesce(retry_at, next_fire_at)`.as('due_at'))
    .where('next_fire_at', 'is not', null)
    .orderBy(sql`coalesce(retry_at, next_fire_at)`)
    .limit(1)
    .executeTakeFirst()
  return row?.due_at
}

/** As it was when a scheduler decided about it. */
export interface DecidedSchedule {
  readonly id: string
  readonly nextFireAt: Date | null
  readonly updatedAt: Date
}

/**
 * Locks those that are as they were until the transaction ends, and answers their ids. One that another scheduler has
 * fired meanwhile, or holds, or that somebody has changed, is left out. What refers to a schedule, such as a run that
 * somebody asks for now, does not hold it: therefore "no key".
 */
export async function lockUnchanged(db: Queryable, decided: readonly DecidedSchedule[]): Promise<ReadonlySet<string>> {
  const rows = JSON.stringify(decided)
  const result = await sql<{ id: string }>`
    select schedules.id from schedules
    join json_to_recordset(${rows}::json) as given(id uuid, "nextFireAt" timestamptz, "updatedAt" timestamptz)
      on given.id = schedules.id and given."nextFireAt" = schedules.next_fire_at
        and given."updatedAt" = schedules.updated_at
    order by schedules.id for no key update of schedules skip locked`.execute(db)
  return new Set(result.rows.map((row) => row.id))
}

/** Where a schedule stands after its instants have fired. */
export interface Advance {
  readonly id: string
  readonly enabled: boolean
  readonly nextFireAt: Date | null
  readonly lastFireAt: Date | null
  readonly lastOutcome: Schedule['lastOutcome']
  readonly lastReason: string | null
  /** Null: the last run that it started stays. */
  readonly lastRunId: string | null
}

/** Of schedules that this transaction has locked. `updated_at` stays: the document that people write is the same. */
export async function advance(db: Queryable, advances: readonly Advance[]): Promise<void> {
  if (advances.length === 0) return
  const rows = JSON.stringify(advances)
  await sql`
    update schedules set enabled = given.enabled, next_fire_at = given."nextFireAt", retry_at = null, retry_reason = null,
      last_fire_at = given."lastFireAt", last_outcome = given."lastOutcome", last_reason = given."lastReason",
      last_run_id = coalesce(given."lastRunId", schedules.last_run_id)
    from json_to_recordset(${rows}::json) as given(id uuid, enabled boolean, "nextFireAt" timestamptz,
      "lastFireAt" timestamptz, "lastOutcome" text, "lastReason" text, "lastRunId" uuid)
    where schedules.id = given.id`.execute(db)
}

/** Leaves a schedule due, and asks again later: unless it was changed or fired meanwhile. */
export async function putOff(
  db: Queryable,
  { id, nextFireAt, updatedAt }: DecidedSchedule,
  { at, reason }: { readonly at: Date; readonly reason: string },
): Promise<void> {
  await db
    .updateTable('schedules')
    .set({ retry_at: at, retry_reason: reason })
    .where('id', '=', id)
    .where('next_fire_at', '=', nextFireAt)
    .where('updated_at', '=', updatedAt)
    .execute()
}
