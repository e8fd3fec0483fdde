import { zstdCompressSync } from 'node:zlib'
import type { Queryable } from '#platform/database'
import { fitChunk } from '../rules/fit-chunk.ts'
import { type Appending, appendRows, type ChunkRow, findHeads, insertHeads, nextLines } from '../store/chunks.ts'
import { unpackLines } from './unpack-lines.ts'

export interface ArrivedChunk {
  readonly runId: string
  readonly attemptId: string
  readonly firstLine: number
  readonly lineCount: number
  readonly linesZstd: Uint8Array
  /** The runner no longer has the lines before this chunk: they are marked as lost. */
  readonly afterLoss?: boolean
}

/** Of one attempt; `bytes` as they are stored. Lines beyond are acknowledged and marked as missing. */
export interface LogLimits {
  readonly lines: number
  readonly bytes: number
  /** Why lines beyond are missing; left out: `limit`. */
  readonly why?: 'limit' | 'scrubbed'
}

/** Of a log whose scrubbed values are forgotten: every further line is beyond. */
const CLOSED: LogLimits = { lines: 0, bytes: 0, why: 'scrubbed' }

/**
 * Stores chunks that follow the stored lines, in one statement; the order of an attempt's chunks is the order given. Known
 * lines are passed over; a chunk behind a gap is refused unless its runner has lost the lines before. Answers the first line
 * that is not stored of every attempt named: lines below may be acknowledged.
 */
export async function appendLines(
  db: Queryable,
  chunks: readonly ArrivedChunk[],
  limits: LogLimits,
): Promise<Map<string, number>> {
  const attemptIds = [...new Set(chunks.map((chunk) => chunk.attemptId))]
  const heads = await findHeads(db, attemptIds)
  const begun = attemptIds.filter((id) => !heads.has(id))
  const logs = new Map<string, GrowingLog>()
  const runIds = new Set<string>()
  for (const chunk of chunks) {
    const head = heads.get(chunk.attemptId)
    const log =
      logs.get(chunk.attemptId) ??
      new GrowingLog(chunk.attemptId, head?.nextLine ?? 0, head?.storedBytes ?? 0, head?.isClosed ? CLOSED : limits)
    logs.set(chunk.attemptId, log)
    if (log.take(chunk)) runIds.add(chunk.runId)
  }
  const next = new Map([...logs].map(([id, log]) => [id, log.nextLine]))
  const appendings = [...logs.values()].filter(({ rows }) => rows.length > 0)
  if (appendings.length === 0) return next
  if (begun.length > 0) await insertHeads(db, begun)
  const moved = await appendRows(db, appendings, [...runIds])
  if (moved.size === appendings.length) return next
  const after = await findHeads(db, attemptIds)
  const isClosed = (id: string): boolean => after.get(id)?.isClosed === true && heads.get(id)?.isClosed !== true
  if (appendings.some(({ attemptId }) => !moved.has(attemptId) && isClosed(attemptId))) {
    // Closed between the look and the statement: of what is taken now only marks are stored.
    return appendLines(db, chunks, limits)
  }
  // Another stream of the same runner stored some of them: what counts is what is there now.
  return new Map(attemptIds.map((id) => [id, after.get(id)?.nextLine ?? 0]))
}

/**
 * Marks what is missing of an attempt's `lineCount` lines as lost, where anything is. Answers the first line that is not
 * stored.
 */
export async function giveUpLines(
  db: Queryable,
  { runId, attemptId }: { readonly runId: string; readonly attemptId: string },
  lineCount: number,
): Promise<number> {
  const head = (await findHeads(db, [attemptId])).get(attemptId)
  const fromLine = head?.nextLine ?? 0
  if (lineCount <= fromLine || lineCount > MOST_LINES) return fromLine
  if (!head) await insertHeads(db, [attemptId])
  const log = new GrowingLog(attemptId, fromLine, 0, { lines: 0, bytes: 0 })
  log.miss(lineCount - fromLine, 'lost')
  await appendRows(db, [log], [runId])
  return (await nextLines(db, [attemptId])).get(attemptId) ?? 0
}

/** Beyond it is no line that a runner could have written, and no number that a row could count. */
const MOST_LINES = 1_000_000_000

/** The rows that one statement will add to one log. */
class GrowingLog implements Appending {
  readonly attemptId: string
  readonly fromLine: number
  readonly rows: ChunkRow[] = []
  nextLine: number
  #bytes: number
  readonly #limits: LogLimits

  constructor(attemptId: string, fromLine: number, bytes: number, limits: LogLimits) {
    this.attemptId = attemptId
    this.fromLine = fromLine
    this.nextLine = fromLine
    this.#bytes = bytes
    this.#limits = limits
  }

  /** Whether anything of the chunk is new and was taken. */
  take(chunk: ArrivedChunk): boolean {
    const fit = fitChunk(this.nextLine, chunk.firstLine, chunk.lineCount)
    switch (fit.kind) {
      case 'known':
        return false
      case 'gap':
        if (!chunk.afterLoss || chunk.firstLine > MOST_LINES) return false
        this.miss(chunk.firstLine - this.nextLine, 'lost')
        return this.take(chunk)
      case 'append':
        return this.#append(chunk, fit.skip)
      default:
        return fit satisfies never
    }
  }

  /** Marks so many lines as missing. */
  miss(lineCount: number, missing: 'lost' | 'limit' | 'scrubbed'): void {
    const last = this.rows.at(-1)
    const row = { attemptId: this.attemptId, firstLine: this.nextLine, lineCount, linesZstd: null, missing }
    if (last?.missing === missing) {
      this.rows[this.rows.length - 1] = { ...row, firstLine: last.firstLine, lineCount: last.lineCount + lineCount }
    } else this.rows.push(row)
    this.nextLine += lineCount
  }

  #append(chunk: ArrivedChunk, skip: number): boolean {
    const { attemptId } = this
    const lineCount = chunk.lineCount - skip
    if (this.#bytes + chunk.linesZstd.length > this.#limits.bytes || this.nextLine + lineCount > this.#limits.lines) {
      this.miss(lineCount, this.#limits.why ?? 'limit')
      return true
    }
    const linesZstd = skip === 0 ? chunk.linesZstd : withoutFirst(chunk, skip)
    if (!linesZstd) return false
    this.rows.push({ attemptId, firstLine: this.nextLine, lineCount, linesZstd, missing: null })
    this.#bytes += linesZstd.length
    this.nextLine += lineCount
    return true
  }
}

/** The chunk from its line `skip` on; undefined where it cannot be read. */
function withoutFirst(chunk: ArrivedChunk, skip: number): Buffer | undefined {
  const { attemptId, firstLine, lineCount, linesZstd } = chunk
  const lines = unpackLines({ attemptId, firstLine, lineCount, linesZstd, missing: null })
  if (!lines?.index) return undefined
  // Messages of one kind may be joined and cut between their fields; nothing but lines stands before a line.
  const cut = lines.index.bodies[skip * 2 - 1] ?? 0
  return zstdCompressSync(lines.bytes.subarray(cut))
}
