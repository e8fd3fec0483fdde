import { promisify } from 'node:util'
import { zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { indexLines, type LineIndex } from '../rules/line-index.ts'
import type { ChunkRow } from '../store/chunks.ts'

export interface UnpackedLines {
  readonly bytes: Buffer
  readonly index: LineIndex
}

/** A row says less than this when it is unpacked, or it is none: a few bytes of zstd can be made to say gigabytes. */
const LIMIT = { maxOutputLength: 16 * 1024 * 1024 }
const decompress = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(zstdDecompress)

/** The lines of a row; undefined when it does not unpack, holds another number of lines, or marks missing ones. */
export function unpackLines(row: ChunkRow): UnpackedLines | undefined {
  if (row.linesZstd === null) return undefined
  try {
    return indexed(zstdDecompressSync(row.linesZstd, LIMIT), row)
  } catch {
    return undefined
  }
}

/** As `unpackLines`, on another thread: worth it for the large rows of a search. */
export async function unpackLinesAside(row: ChunkRow): Promise<UnpackedLines | undefined> {
  if (row.linesZstd === null) return undefined
  try {
    return indexed(await decompress(row.linesZstd, LIMIT), row)
  } catch {
    return undefined
  }
}

function indexed(bytes: Buffer, row: ChunkRow): UnpackedLines | undefined {
  const index = indexLines(bytes, row.lineCount)
  return index && { bytes, index }
}
