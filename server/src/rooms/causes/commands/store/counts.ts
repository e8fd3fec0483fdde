import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

export interface Counting {
  readonly sourceId: string
  /** Whose commands are counted; the empty text: everybody's. */
  readonly counted: string
  readonly windowStart: Date
  readonly limit: number
}

/**
 * Counts a command within its window. `refused`: how many were above the limit, this one included; 0: it is within.
 * Commands of one window wait for each other until the transaction ends.
 */
export async function countCommand(tx: Tx, { sourceId, counted, windowStart, limit }: Counting): Promise<number> {
  const { rows } = await sql<{ refused: number; admitted: number; above: boolean }>`
    insert into comment_command_counts as held (source_id, counted, window_start, admitted)
    values (${sourceId}, ${counted}, ${windowStart}, 1)
    on conflict (source_id, counted, window_start) do update
      set admitted = least(held.admitted + 1, ${limit}::integer + 1),
        refused = held.refused + case when held.admitted >= ${limit}::integer then 1 else 0 end
    returning admitted, refused, admitted > ${limit}::integer as above`.execute(tx)
  const [row] = rows
  return row?.above ? row.refused : 0
}

/** Windows that began before this time. */
export async function dropCounts(db: Queryable, before: Date): Promise<void> {
  await db.deleteFrom('comment_command_counts').where('window_start', '<', before).execute()
}
