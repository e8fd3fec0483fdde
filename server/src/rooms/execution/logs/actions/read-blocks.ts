import type { Queryable } from '#platform/database'
import { type ChunkRow, listRows, type Missing, type RowRange } from '../store/chunks.ts'
import { type UnpackedLines, unpackLines, unpackLinesAside } from './unpack-lines.ts'

/** Consecutive lines as they lie in one row. Without `lines`: they cannot be read, or are missing. */
export interface Block {
  readonly firstLine: number
  readonly lineCount: number
  /** The first line of it that is wanted, and the one behind the last; a row may hold others, or what was read before. */
  readonly from: number
  readonly before: number
  readonly lines: UnpackedLines | undefined
  readonly missing: Missing | null
}

/** Hides scrubbed values in the lines of a row, before anybody sees them. */
export type Hide = (lines: UnpackedLines) => UnpackedLines

export interface BlockRange {
  readonly attemptId: string
  /** The first line wanted. */
  readonly from: number
  /** Behind the last line wanted; left out: all there are. */
  readonly before?: number
  readonly backward?: boolean
  /** Asks for the next rows while these are looked at. */
  readonly ahead?: boolean
  readonly bits?: RowRange['bits']
}

const FIRST_ROWS = 2
/** Rows are up to some MiB when unpacked, and two lots of them are held. */
const MOST_ROWS = 8

/**
 * The rows of one log that hold lines of the range, one by one, in order or from the last to the first. Holds no
 * connection between two lots. Rows may be packed meanwhile: what was read is passed over.
 */
export async function* readBlocks(db: Queryable, range: BlockRange, hide: Hide): AsyncGenerator<Block> {
  const { attemptId, backward = false } = range
  let at = backward ? (range.before ?? Number.MAX_SAFE_INTEGER) : range.from
  let limit = FIRST_ROWS
  let asked = ask(limit)
  function ask(count: number): Promise<readonly ChunkRow[]> {
    const rows = listRows(db, { attemptId, at, backward, limit: count, bits: range.bits ?? [] })
    // Nobody may wait for it any more by the time that it fails.
    rows.catch(() => undefined)
    return rows
  }
  for (;;) {
    const rows = await asked
    const last = rows.at(-1)
    if (!last) return
    const isLast = rows.length < (backward ? limit : limit - 1)
    let border = at
    at = backward ? last.firstLine : last.firstLine + last.lineCount
    const isOver = isLast || (backward ? at <= range.from : range.before !== undefined && at >= range.before)
    limit = Math.min(limit * 2, MOST_ROWS)
    if (!isOver && range.ahead) asked = ask(limit)
    const unpacked = range.ahead ? rows.map(unpackLinesAside) : undefined
    for (const [place, row] of rows.entries()) {
      const lines = unpacked ? await unpacked[place] : unpackLines(row)
      const { firstLine, lineCount, missing } = row
      const end = firstLine + lineCount
      yield {
        firstLine,
        lineCount,
        from: Math.max(firstLine, backward ? range.from : border),
        before: Math.min(end, backward ? border : (range.before ?? end)),
        lines: lines && hide(lines),
        missing,
      }
      border = backward ? firstLine : end
    }
    if (isOver) return
    if (!range.ahead) asked = ask(limit)
  }
}
