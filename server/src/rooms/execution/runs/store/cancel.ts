import { sql } from 'kysely'
import type { Tx } from '#platform/database'

/** Holds the row until the transaction ends, so that a dispatcher that wants to start it waits for what is decided. */
export async function lockStatus(tx: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`select status from runs where id = ${id} for update`.execute(tx)
  return rows[0]?.status
}

/** A run that nobody has begun ends at once. */
export async function endQueued(tx: Tx, id: string, reason: string, at: Date): Promise<void> {
  await sql`
    update runs set status = 'canceled', reason = ${reason}, cancel_requested_at = ${at}, cancel_reason = ${reason},
      finished_at = ${at}, revision = revision + 1
    where id = ${id} and status = 'queued'`.execute(tx)
  await sql`select pg_notify('run_changed', ${id})`.execute(tx)
}

/** A run in hand is ended by a dispatcher, which hears of it when the transaction commits. */
export async function requestCancel(tx: Tx, id: string, reason: string, at: Date): Promise<void> {
  await sql`
    update runs set cancel_requested_at = ${at}, cancel_reason = ${reason}
    where id = ${id} and status in ('running', 'paused') and cancel_requested_at is null`.execute(tx)
  await sql`select pg_notify('runs_cancel', ${id})`.execute(tx)
}
