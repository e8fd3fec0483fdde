import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import { indexLines, type LineIndex, readLine } from '../rules/line-index.ts'
import { trigramsOf } from '../rules/trigrams.ts'
import { type ChunkRow, listRows } from '../store/chunks.ts'
import { findPackPlace, listLoose, lockRows, type PackedRow, replaceRows, setPacked } from '../store/packing.ts'
import { unpackLines } from './unpack-lines.ts'

/** Bytes of one row when unpacked: a reader of few lines unpacks so many. */
const ROW_BYTES = 1024 * 1024
/** A runner's chunk is 512 KiB, or what came in a short time: so many of them are put together at once. */
const ROWS_AT_ONCE = 256
/** Lines come to an end, or come slowly: then what there is becomes a row. */
const QUIET_MS = 60_000
/** Compressed bytes that are sure to fill a row. */
const ENOUGH_BYTES = 1024 * 1024
const LOGS_AT_ONCE = 100

const compress = promisify<Buffer, object, Buffer>(zstdCompress)
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Packs every log that is long enough or silent; ends early when the signal aborts. */
export async function packLogs(kit: Kit, signal: AbortSignal): Promise<void> {
  for (;;) {
    const quietSince = new Date(kit.clock.now().getTime() - QUIET_MS)
    const options = { quietSince, enoughBytes: ENOUGH_BYTES, limit: LOGS_AT_ONCE }
    const loose = await listLoose(kit.database.kysely, options)
    let settled = 0
    for (const { attemptId, isQuiet } of loose) {
      if (signal.aborted) return
      settled += await packLog(kit, attemptId, isQuiet, signal)
    }
    if (loose.length < LOGS_AT_ONCE || settled === 0) return
  }
}

/**
 * Puts small rows of one log together, a large row at a time, each in a transaction of its own. A reader finds the small
 * rows or the large one, whenever a process dies. `whole`: the last lines too, though they are few. Answers how many rows
 * were settled: 0 where the log is as before.
 */
export async function packLog(kit: Kit, attemptId: string, whole: boolean, signal: AbortSignal): Promise<number> {
  for (let settled = 0; ; settled++) {
    if (signal.aborted) return settled
    const step = await kit.database.transaction((tx) => packOneRow(kit, tx, attemptId, whole))
    if (step === 'waits') return settled
    if (step === 'last') return settled + 1
    kit.failPoints.hit('logs.after_pack')
  }
}

/** Whether lines wait behind the row, the row was the last one, or there are too few lines for a row as yet. */
type Step = 'more' | 'last' | 'waits'

async function packOneRow(kit: Kit, tx: Tx, attemptId: string, whole: boolean): Promise<Step> {
  await lockRows(tx, attemptId)
  const place = await findPackPlace(tx, attemptId)
  if (!place) return 'waits'
  const rows = await listRows(tx, { attemptId, at: place.packedLine, limit: ROWS_AT_ONCE })
  const batch = gather(rows)
  if (batch.rows === 0) {
    const wholeAt = place.nextLine
    await setPacked(tx, attemptId, { packedLine: place.packedLine, wholeAt, storedChange: 0, looseChange: 0 })
    return 'last'
  }
  // The batch ended at its size, or where lines of another kind begin.
  const isFull = batch.bytes >= ROW_BYTES || batch.rows < rows.length
  if (!isFull && !whole && rows.length < ROWS_AT_ONCE) return 'waits'
  const stored = batch.rows > 1 ? await replace(kit, tx, attemptId, batch) : batch.stored
  const end = batch.firstLine + batch.lineCount
  const isLast = end >= place.nextLine
  await setPacked(tx, attemptId, {
    // A row that is not full stays open: what comes later is put together with it.
    packedLine: isFull ? end : batch.firstLine,
    wholeAt: isLast ? place.nextLine : undefined,
    storedChange: stored - batch.stored,
    looseChange: isFull ? -batch.stored : stored - batch.stored,
  })
  return isLast ? 'last' : 'more'
}

/** Answers the bytes of the row that is there now. */
async function replace(kit: Kit, tx: Tx, attemptId: string, batch: Batch): Promise<number> {
  const packed = await packedRow(attemptId, batch)
  await replaceRows(tx, packed)
  kit.failPoints.hit('logs.before_pack')
  return packed.linesZstd?.length ?? 0
}

interface Batch {
  readonly firstLine: number
  lineCount: number
  rows: number
  /** Unpacked, and as they are stored. */
  bytes: number
  stored: number
  missing: ChunkRow['missing']
  readonly parts: Buffer[]
  firstAt: Date | null
  lastAt: Date | null
}

/** The first rows that may become one: readable ones up to its size, or marks of lines that are missing for one reason. */
function gather(rows: readonly ChunkRow[]): Batch {
  const firstLine = rows[0]?.firstLine ?? 0
  const batch: Batch = {
    firstLine,
    lineCount: 0,
    rows: 0,
    bytes: 0,
    stored: 0,
    missing: null,
    parts: [],
    firstAt: null,
    lastAt: null,
  }
  for (const row of rows) {
    const lines = unpackLines(row)
    if (batch.rows > 0) {
      const isMark = row.missing !== null && row.missing === batch.missing
      const isText = lines?.index !== undefined && batch.parts.length > 0 && batch.bytes < ROW_BYTES
      if (!isMark && !isText) return batch
    }
    batch.rows += 1
    batch.lineCount += row.lineCount
    batch.missing = row.missing
    batch.stored += row.linesZstd?.length ?? 0
    if (!lines?.index) {
      // A row that cannot be read is left as it is.
      if (row.missing === null) return batch
      continue
    }
    batch.parts.push(lines.bytes)
    batch.bytes += lines.bytes.length
    batch.firstAt ??= timeOf(lines.bytes, lines.index, 0)
    batch.lastAt = timeOf(lines.bytes, lines.index, lines.index.count - 1)
  }
  return batch
}

async function packedRow(attemptId: string, batch: Batch): Promise<PackedRow> {
  const { firstLine, lineCount, firstAt, lastAt, bytes, missing } = batch
  const place = { attemptId, firstLine, lineCount, firstAt, lastAt }
  if (missing !== null) return { ...place, linesZstd: null, missing, rawBytes: 0, trigrams: null }
  // Messages of one kind one after the other are one message with the lines of all.
  const raw = Buffer.concat(batch.parts)
  const index = indexLines(raw, lineCount)
  const trigrams = index ? trigramsOf(raw, index.texts) : null
  return { ...place, linesZstd: await compress(raw, LEVEL), missing, rawBytes: bytes, trigrams }
}

function timeOf(bytes: Buffer, index: LineIndex, n: number): Date | null {
  const { atMs } = readLine(bytes, index, n)
  return atMs === 0 ? null : new Date(atMs)
}
