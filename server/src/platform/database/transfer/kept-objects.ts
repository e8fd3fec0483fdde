import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../queryable.ts'

// Any number that no other program on the same database is likely to use for an advisory lock.
const LOCK = 7_264_510_534

/** From now on, and while this connection lives, `mayDeleteObjects` is false. */
export async function keepObjects(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1)', [LOCK])
}

/** Throws where this connection did not keep them all the time. */
export async function releaseObjects(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('select pg_advisory_unlock_shared($1) as held', [LOCK])
  if (rows[0]?.held !== true) throw new Error('The connection that keeps the objects of a backup was lost.')
}

/**
 * Whether unreferenced objects may be deleted: not while a backup copies the objects of its snapshot. True holds until
 * the transaction ends, so a backup that begins meanwhile sees what the transaction has written.
 */
export async function mayDeleteObjects(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as may`.execute(tx)
  return rows[0]?.may === true
}
