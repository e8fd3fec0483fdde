import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** Events of runs that were queued together: JSON texts one behind the other, compressed as a whole. */
export interface EventBlock {
  readonly id: string
  readonly eventsZstd: Buffer
}

export async function loadEventBlocks(db: Queryable, ids: readonly string[]): Promise<EventBlock[]> {
  const { rows } = await sql<EventBlock>`
    select id, events_zstd as "eventsZstd" from run_event_blocks where id = any(${ids}::uuid[])`.execute(db)
  return rows
}
