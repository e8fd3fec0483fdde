import { zstdCompressSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { LogLinesSchema } from '@signalbox/contracts/runner'
import type { Queryable } from '#platform/database'
import { fitChunk } from '../rules/fit-chunk.ts'
import { type ChunkRow, insertChunks, nextLines } from '../store.ts'
import { unpackLines } from './unpack-lines.ts'

export interface ArrivedChunk extends ChunkRow {
  readonly runId: string
}

/**
 * Stores chunks that follow what is stored, in one statement of their own; the order of an attempt's chunks is the order
 * given. Lines that are stored already are passed over, a chunk behind a gap is refused. Answers the first line that is
 * not stored for every attempt named: what may be acknowledged. A chunk that cannot be read is refused like a gap.
 */
export async function appendLines(db: Queryable, chunks: readonly ArrivedChunk[]): Promise<Map<string, number>> {
  const attemptIds = [...new Set(chunks.map((chunk) => chunk.attemptId))]
  const next = await nextLines(db, attemptIds)
  const fresh: ChunkRow[] = []
  const runIds = new Set<string>()
  for (const chunk of chunks) {
    const at = next.get(chunk.attemptId) ?? 0
    const fit = fitChunk(at, chunk.firstLine, chunk.lineCount)
    if (fit.kind !== 'append') continue
    const part = fit.skip === 0 ? chunk : withoutFirst(chunk, fit.skip)
    if (!part) continue
    fresh.push(part)
    runIds.add(chunk.runId)
    next.set(chunk.attemptId, chunk.firstLine + chunk.lineCount)
  }
  for (const id of attemptIds) if (!next.has(id)) next.set(id, 0)
  if (fresh.length === 0) return next
  const stored = await insertChunks(db, fresh, [...runIds])
  if (stored === fresh.length) return next
  // Another stream of the same runner stored some of them: what counts is what is there now.
  const after = await nextLines(db, attemptIds)
  return new Map(attemptIds.map((id) => [id, after.get(id) ?? 0]))
}

function withoutFirst(chunk: ArrivedChunk, skip: number): ChunkRow | undefined {
  const lines = unpackLines(chunk.linesZstd)
  if (lines?.length !== chunk.lineCount) return undefined
  const rest = create(LogLinesSchema, { lines: lines.slice(skip) })
  return {
    attemptId: chunk.attemptId,
    firstLine: chunk.firstLine + skip,
    lineCount: chunk.lineCount - skip,
    linesZstd: zstdCompressSync(toBinary(LogLinesSchema, rest)),
  }
}
