import { sql } from 'kysely'
import type { Queryable, Statement } from '#platform/database'

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

/** All blocks in one statement: their bytes one behind the other, for a parameter in binary needs no conversion. */
export function insertEventBlocks(blocks: readonly EventBlock[]): Statement {
  let end = 0
  const placed = blocks.map(({ id, eventsZstd: { length: bytes } }) => {
    end += bytes
    return { id, first_byte: end - bytes + 1, bytes }
  })
  const bytes = Buffer.concat(
    blocks.map((block) => block.eventsZstd),
    end,
  )
  return { text: INSERT_BLOCKS, values: [JSON.stringify(placed), bytes] }
}

const INSERT_BLOCKS = `
  insert into run_event_blocks (id, events_zstd)
  select id, substring($2::bytea from first_byte for bytes)
  from json_to_recordset($1::json) as block(id uuid, first_byte integer, bytes integer)`
