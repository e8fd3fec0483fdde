import { sql } from 'kysely'
import { type Database, type DayPartitions, dayPartitions, type Queryable } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import type { Clock } from '#platform/time'

/** Deletes the remains of a deleted source. The payload is `DeletedSource`. */
export const DELETE_DELIVERIES_JOB = 'sources.delete-deliveries'

export interface DeletedSource {
  readonly sourceId: string
}

/** The tables of the room that are kept by day. */
export interface KeptDays {
  readonly deliveries: DayPartitions
  readonly payloads: DayPartitions
}

export function keptDays(given: { readonly database: Database; readonly clock: Clock }): KeptDays {
  return {
    deliveries: dayPartitions(given, 'deliveries'),
    payloads: dayPartitions(given, 'delivery_payloads'),
  }
}

/**
 * Delivery ids whose record is older than the instant, at most `limit` at a time, so that no transaction grows long.
 * Answers how many went.
 */
export async function dropKeys(db: Queryable, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from delivery_keys where (source_id, delivery_id) in (
      select source_id, delivery_id from delivery_keys where delivery_record_id < ${lowestIdOf(before.getTime())}
      order by delivery_record_id limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Deletes rows of a deleted source, at most `limit` of one table at a time. Answers how many went. */
export async function dropOfSource(db: Queryable, sourceId: string, limit: number): Promise<number> {
  const keys = await sql`
    delete from delivery_keys where source_id = ${sourceId} and delivery_id in (
      select delivery_id from delivery_keys where source_id = ${sourceId} limit ${limit})`.execute(db)
  const payloads = await sql`
    delete from delivery_payloads where id in (
      select id from delivery_payloads where source_id = ${sourceId} limit ${limit})`.execute(db)
  const deliveries = await sql`
    delete from deliveries where id in (
      select id from deliveries where source_id = ${sourceId} limit ${limit})`.execute(db)
  return [keys, payloads, deliveries].reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0), 0)
}
