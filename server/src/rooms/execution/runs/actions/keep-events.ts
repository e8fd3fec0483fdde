import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Json } from '@signalbox/pipeline/status'
import type { Queryable } from '#platform/database'
import type { Ids } from '#platform/ids'
import { readJson } from '../rules/stored-json.ts'
import { type EventBlock, loadEventBlocks } from '../store/run-events.ts'

/** Where in a block the event of a run lies, in bytes of its uncompressed text; all null: it has none. */
export interface EventPlace {
  readonly event_block_id: string | null
  readonly event_offset: number | null
  readonly event_bytes: number | null
}

export const NOWHERE: EventPlace = { event_block_id: null, event_offset: null, event_bytes: null }
// More compress hardly better, and who reads one of them decompresses all.
const EVENTS_OF_BLOCK = 32
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * Stores events in blocks: an event in a column of its own cost PostgreSQL three times as much as the rest of its run.
 * Several runs of one event share it. Answers each event's place, in the order given.
 */
export function packEvents(
  ids: Ids,
  events: readonly unknown[],
): { readonly places: readonly EventPlace[]; readonly blocks: readonly EventBlock[] } {
  const placeOf = new Map<unknown, EventPlace>()
  const blocks: EventBlock[] = []
  const distinct = [...new Set(events)].filter((event) => event !== undefined && event !== null)
  for (let at = 0; at < distinct.length; at += EVENTS_OF_BLOCK) {
    const id = ids.next()
    const texts: Buffer[] = []
    let end = 0
    for (const event of distinct.slice(at, at + EVENTS_OF_BLOCK)) {
      const text = Buffer.from(JSON.stringify(event), 'utf8')
      placeOf.set(event, { event_block_id: id, event_offset: end, event_bytes: text.length })
      texts.push(text)
      end += text.length
    }
    blocks.push({ id, eventsZstd: zstdCompressSync(Buffer.concat(texts, end), COMPRESSION) })
  }
  return { places: events.map((event) => placeOf.get(event) ?? NOWHERE), blocks }
}

/** The events of these rows, in their order; null where a run has none. */
export async function readEvents(db: Queryable, rows: readonly EventPlace[]): Promise<readonly Json[]> {
  const ids = new Set(rows.map((row) => row.event_block_id).filter((id) => id !== null))
  if (ids.size === 0) return rows.map(() => null)
  const found = await loadEventBlocks(db, [...ids])
  const texts = new Map(found.map(({ id, eventsZstd }) => [id, zstdDecompressSync(eventsZstd)]))
  return rows.map(({ event_block_id: id, event_offset: start, event_bytes: bytes }) => {
    const text = id === null ? undefined : texts.get(id)
    if (text === undefined || start === null || bytes === null) return null
    return readJson(JSON.parse(text.toString('utf8', start, start + bytes)))
  })
}
