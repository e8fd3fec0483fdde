import { sql } from 'kysely'
import { type Queryable, type Statement, uniqueViolation } from '#platform/database'

/** That something started a run for what happened. */
export interface StartRow {
  /** 64 hex digits. */
  readonly happening: string
  readonly starter: string
  readonly runId: string
  readonly deliveryRecordId: string | null
  readonly receivedAt: Date
  readonly sameUntil: Date
}

/**
 * Records starts, or fails with `isRepeated` where one of them was made before. Waits for another transaction that records
 * the same; they are recorded in one order, so that no two wait for each other. No two rows of one call are the same.
 */
export function insertStarts(rows: readonly StartRow[]): Statement {
  const given = rows.map((row) => ({
    happening: row.happening,
    starter: row.starter,
    run_id: row.runId,
    delivery_record_id: row.deliveryRecordId,
    received_at: row.receivedAt,
    same_until: row.sameUntil,
  }))
  return { text: INSERT_STARTS, values: [JSON.stringify(given)] }
}

const INSERT_STARTS = `
  with given as materialized (
    select decode(happening, 'hex') as happening, starter, run_id, delivery_record_id, received_at, same_until
    from json_to_recordset($1::json) as given(
      happening text, starter text, run_id uuid, delivery_record_id uuid, received_at timestamptz,
      same_until timestamptz)
  ), recorded as (
    insert into event_starts as held (happening, starter, run_id, delivery_record_id, same_until)
    select happening, starter, run_id, delivery_record_id, same_until from given order by happening, starter
    on conflict (happening, starter) do update
      set run_id = excluded.run_id, delivery_record_id = excluded.delivery_record_id, same_until = excluded.same_until
      where held.same_until <= (select min(received_at) from given)
    returning 1
  )
  select refuse_repeated_starts((select count(*) from recorded) < (select count(*) from given))`

/** Whether the error says that one of the runs was started by another delivery. */
export function isRepeated(error: unknown): boolean {
  return uniqueViolation(error) === 'event_starts_pkey'
}

export interface EarlierStart {
  readonly happening: string
  readonly starter: string
  readonly runId: string
  readonly deliveryRecordId: string | null
}

export async function findStarts(
  db: Queryable,
  asked: readonly { readonly happening: string; readonly starter: string }[],
  at: Date,
): Promise<readonly EarlierStart[]> {
  const { rows } = await sql<EarlierStart>`
    select encode(held.happening, 'hex') as happening, held.starter, held.run_id as "runId",
      held.delivery_record_id as "deliveryRecordId"
    from unnest(${asked.map((one) => one.happening)}::text[], ${asked.map((one) => one.starter)}::text[])
      as asked(happening, starter)
    join event_starts as held
      on held.happening = decode(asked.happening, 'hex') and held.starter = asked.starter
    where held.same_until > ${at}`.execute(db)
  return rows
}

/** At most `limit` at a time. Answers how many went. */
export async function dropStarts(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from event_starts where (happening, starter) in
      (select happening, starter from event_starts where same_until < ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
