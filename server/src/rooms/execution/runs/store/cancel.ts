import { sql } from 'kysely'
import type { Tx } from '#platform/database'

/** Holds the row until the transaction ends, so that a dispatcher that wants to start it waits for what is decided. */
export async function lockStatus(tx: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`select status from runs where id = ${id} for update`.execute(tx)
  return rows[0]?.status
}

/**
 * A run that nobody has begun ends at once, and its fact is told. One in hand is ended by a dispatcher, which hears of it
 * when the transaction commits. True: it has ended. `telling`: of run.finished.
 */
export async function cancel(tx: Tx, id: string, reason: string, at: Date, telling: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select cancel_run(${id}, ${reason}, ${at}, ${telling}::jsonb) as ended`.execute(tx)
  return rows[0]?.ended ?? false
}
