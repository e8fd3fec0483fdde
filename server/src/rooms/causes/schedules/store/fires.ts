import { sql } from 'kysely'
import { type Queryable, type RowOf, toCamel, toSnake } from '#platform/database'
import type { Window } from '#platform/http'

export type Fire = RowOf<'schedule_fires'>

/** All of them in one statement, some thousands at most. Throws a violation of `schedule_fires_once` where one of the instants has fired. */
export async function insertFires(db: Queryable, fires: readonly Fire[]): Promise<void> {
  if (fires.length === 0) return
  const rows = JSON.stringify(fires.map((fire) => toSnake(fire)))
  await sql`
    insert into schedule_fires select * from json_populate_recordset(null::schedule_fires, ${rows}::json)`.execute(db)
}

/** Which of these planned instants have been decided before, in milliseconds. */
export async function listDecided(
  db: Queryable,
  scheduleId: string,
  planned: readonly Date[],
): Promise<ReadonlySet<number>> {
  if (planned.length === 0) return new Set()
  const rows = await db
    .selectFrom('schedule_fires')
    .select('planned_at')
    .where('schedule_id', '=', scheduleId)
    .where('kind', '=', 'scheduled')
    .where('planned_at', 'in', [...planned])
    .execute()
  return new Set(rows.map((row) => row.planned_at.getTime()))
}

/**
 * The newest instant of an expression, after `since`, that the schedule decided or that a backfill starts; null: none. Of
 * many missed ones that share a row the newest have rows of their own. No fire is planned before its nominal instant, so
 * that the index by planned instants leads to those after `since`.
 */
export async function findNewestDecided(db: Queryable, scheduleId: string, since: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('schedule_fires')
    .select((of) => of.fn.max<Date | null>('nominal_at').as('nominal_at'))
    .where('schedule_id', '=', scheduleId)
    .where('planned_at', '>', since)
    .where((of) =>
      of.or([
        of('kind', '=', 'scheduled'),
        of.and([of('kind', '=', 'backfill'), of('outcome', 'in', ['pending', 'started'])]),
      ]),
    )
    .executeTakeFirst()
  return row?.nominal_at ?? null
}

/** Which of these runs a backfill started. */
export async function listOfBackfills(db: Queryable, runIds: readonly string[]): Promise<ReadonlySet<string | null>> {
  if (runIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('schedule_fires')
    .select('run_id')
    .where('run_id', 'in', [...runIds])
    .where('kind', '=', 'backfill')
    .execute()
  return new Set(rows.map((row) => row.run_id))
}

/** Drops what was decided before the instant, the oldest first; answers how many. Those of a backfill go with it. */
export async function dropFires(db: Queryable, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('schedule_fires')
    .select('id')
    .where('fired_at', '<', before)
    .where('kind', '<>', 'backfill')
    .orderBy('fired_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('schedule_fires').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export interface FireFilter extends Window {
  readonly scheduleId: string
  readonly outcome: Fire['outcome'] | undefined
  readonly since: Date | undefined
  readonly until: Date | undefined
}

/** Newest first. */
export async function listFires(db: Queryable, filter: FireFilter): Promise<Fire[]> {
  let query = db
    .selectFrom('schedule_fires')
    .selectAll()
    .where('schedule_id', '=', filter.scheduleId)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.outcome !== undefined) query = query.where('outcome', '=', filter.outcome)
  const { since } = filter
  if (since !== undefined) {
    // A row of many missed instants reaches from the first to the last of them.
    query = query.where((of) => of.or([of('planned_at', '>=', since), of('missed_until', '>=', since)]))
  }
  if (filter.until !== undefined) query = query.where('planned_at', '<', filter.until)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}
