import { sql } from 'kysely'
import { type Queryable, type Statement, toSnake, uniqueViolation } from '#platform/database'
import type { Claim, Place } from '../rules/index.ts'

/** The fact that a rule started a run for a change. */
export interface StartRow extends Place {
  /** 64 hex digits. */
  readonly happening: string
  readonly starter: string
  /** 1, and more only where the same text stands for another change as well. */
  readonly generation: number
  readonly runId: string
  readonly deliveryRecordId: string | null
  readonly madeAt: Date
  readonly sameUntil: Date
  readonly eventId: string
  /** 64 hex digits; undefined: no event of such a change is ever made by this service. */
  readonly changeKey: string | undefined
  /** Made events that were looked at: they tell of another change. */
  readonly judged: readonly string[]
}

/** For how long what comes late may still be a part of what was made. GitHub sends again for three days. */
const LATE_DAYS = 3
export const LATE_MS = LATE_DAYS * 86_400_000

/**
 * Records starts, or fails with `isRepeated` where one of them was made before. Waits for another transaction that records
 * the same; they are recorded in one order, so that no two wait for each other. No two rows of one call are the same.
 */
export function insertStarts(rows: readonly StartRow[]): Statement {
  const given = rows.map(({ eventId: _event, changeKey: _key, judged: _judged, ...row }) => ({
    ...toSnake(row),
    happening: `\\x${row.happening}`,
  }))
  const changes = rows.flatMap(({ eventId, changeKey, judged, madeAt }) =>
    changeKey === undefined ? [] : [{ event_id: eventId, change_key: `\\x${changeKey}`, judged, made_at: madeAt }],
  )
  return { text: INSERT_STARTS, values: [JSON.stringify(given), JSON.stringify(changes)] }
}

const COLUMNS = 'happening, starter, generation, page, repository_id, run_id, delivery_record_id, made_at, same_until'

/** Earlier changes of the same text last as long as the newest: who tells of them late is told apart by their number. */
const INSERT_STARTS = `
  with given as materialized (
    select ${COLUMNS} from json_populate_recordset(null::event_starts, $1::json)
  ), recorded as (
    insert into event_starts as held (${COLUMNS})
    select ${COLUMNS} from given order by happening, starter, generation
    on conflict (happening, starter, generation) do update
      set page = excluded.page, repository_id = excluded.repository_id, run_id = excluded.run_id,
        delivery_record_id = excluded.delivery_record_id, made_at = excluded.made_at, same_until = excluded.same_until
      where held.same_until <= (select min(made_at) from given)
    returning 1
  ), lengthened as (
    update event_starts as held set same_until = given.same_until from given
    where given.generation > 1 and held.happening = given.happening and held.starter = given.starter
      and held.generation < given.generation and held.same_until < given.same_until
      and held.same_until > (select min(made_at) from given)
  )
  select refuse_repeated_starts((select count(*) from recorded) < (select count(*) from given) or exists (
    select from json_to_recordset($2::json) as told(event_id uuid, change_key bytea, judged uuid[], made_at timestamptz)
    join suspected_changes as made on made.change_key = told.change_key
    where made.made_at > told.made_at - interval '${LATE_DAYS} days' and made.made_event_id <> told.event_id
      and made.id <> all (told.judged)))`

/** Whether the error says that one of the runs was started by another delivery. */
export function isRepeated(error: unknown): boolean {
  return uniqueViolation(error) === 'event_starts_pkey'
}

export interface EarlierStart extends Claim {
  readonly happening: string
  readonly starter: string
  readonly runId: string
  readonly deliveryRecordId: string | null
}

/** A text stands for no more changes than that, or the last of them. */
const MAX_GENERATIONS = 100

export async function findStarts(
  db: Queryable,
  asked: readonly { readonly happening: string; readonly starter: string }[],
  at: Date,
): Promise<readonly EarlierStart[]> {
  const { rows } = await sql<EarlierStart>`
    select encode(asked.happening, 'hex') as happening, asked.starter, held.generation, held.page,
      held.repository_id as "repositoryId", held.made_at as "madeAt", held.run_id as "runId",
      held.delivery_record_id as "deliveryRecordId"
    from (
      select distinct decode(happening, 'hex') as happening, starter
      from unnest(${asked.map((one) => one.happening)}::text[], ${asked.map((one) => one.starter)}::text[])
        as asked(happening, starter)
    ) as asked
    cross join lateral (
      select generation, page, repository_id, made_at, run_id, delivery_record_id from event_starts
      where happening = asked.happening and starter = asked.starter and same_until > ${at}
      order by generation desc limit ${MAX_GENERATIONS}
    ) as held`.execute(db)
  return rows
}

/** At most `limit` at a time. Answers how many went. */
export async function dropStarts(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from event_starts where (happening, starter, generation) in
      (select happening, starter, generation from event_starts where same_until < ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
