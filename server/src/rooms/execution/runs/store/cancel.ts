import { sql } from 'kysely'
import type { Tx } from '#platform/database'

/** Holds the row until the transaction ends, so that a dispatcher that wants to start it waits for what is decided. */
export async function lockStatus(tx: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ status: string }>`select status from runs where id = ${id} for update`.execute(tx)
  return rows[0]?.status
}
