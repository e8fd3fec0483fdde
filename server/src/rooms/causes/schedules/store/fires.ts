import { sql } from 'kysely'
import { type Queryable, type RowOf, toCamel } from '#platform/database'
import type { Window } from '#platform/http'

export type Fire = RowOf<'schedule_fires'>

/** All of them in one statement. Throws a violation of `schedule_fires_once` where one of the instants has fired. */
export async function insertFires(db: Queryable, fires: readonly Fire[]): Promise<void> {
  if (fires.length === 0) return
  const rows = JSON.stringify(fires)
  await sql`
    insert into schedule_fires (id, schedule_id, kind, backfill_id, planned_at, nominal_at, fired_at, outcome, run_id,
      reason, missed_count)
    select id, "scheduleId", kind, "backfillId", "plannedAt", "nominalAt", "firedAt", outcome, "runId", reason,
      "missedCount"
    from json_to_recordset(${rows}::json) as given(id uuid, "scheduleId" uuid, kind text, "backfillId" uuid,
      "plannedAt" timestamptz, "nominalAt" timestamptz, "firedAt" timestamptz, outcome text, "runId" uuid, reason text,
      "missedCount" integer)`.execute(db)
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
  if (filter.since !== undefined) query = query.where('planned_at', '>=', filter.since)
  if (filter.until !== undefined) query = query.where('planned_at', '<', filter.until)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return (await query.execute()).map(toCamel)
}
