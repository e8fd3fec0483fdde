import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { CompletedOutcome } from '../rules/index.ts'

export interface StoredOutcome {
  readonly trace: unknown
  readonly runIds: readonly string[]
}

/** The present record, locked until the transaction ends. Undefined: its time was over, or its source is gone. */
export async function lockOutcome(db: Queryable, deliveryRecordId: string): Promise<StoredOutcome | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .select(['trace', 'run_ids'])
    .where('id', '=', deliveryRecordId)
    .forUpdate()
    .executeTakeFirst()
  return row && { trace: row.trace, runIds: row.run_ids }
}

/** The answer stays; the outcome is added. Open pages hear of it when the transaction commits. */
export async function updateOutcome(db: Queryable, deliveryRecordId: string, outcome: CompletedOutcome): Promise<void> {
  await sql`
    with completed as (
      update deliveries set result = ${outcome.result}, reason = ${outcome.reason}, run_ids = ${[...outcome.runIds]}::uuid[],
        trace = ${JSON.stringify(outcome.trace)}::json
      where id = ${deliveryRecordId} returning id, source_id
    )
    select pg_notify('delivery_changed', 'changed ' || source_id || ' ' || id) from completed`.execute(db)
}
