import { promisify } from 'node:util'
import { type ZstdOptions, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { indexLines, type LineIndex } from '../rules/line-index.ts'
import type { ChunkRow } from '../store/chunks.ts'

/** The bytes of a row, and where its lines lie in them: found when somebody asks, for a search passes most rows over. */
export class UnpackedLines {
  readonly bytes: Buffer
  readonly #count: number
  #index: LineIndex | undefined
  #isIndexed = false

  constructor(bytes: Buffer, count: number) {
    this.bytes = bytes
    this.#count = count
  }

  /** Undefined where the bytes are no lines, or another number of them. */
  get index(): LineIndex | undefined {
    if (!this.#isIndexed) {
      this.#index = indexLines(this.bytes, this.#count)
      this.#isIndexed = true
    }
    return this.#index
  }
}

/** A row says less than this when it is unpacked, or it is none: a few bytes of zstd can be made to say gigabytes. */
const MOST_BYTES = 16 * 1024 * 1024
/** Lines of a build become so much smaller; the library's own pieces of 16 KiB cost more than the work itself. */
const USUAL_RATIO = 12
const SMALLEST_PIECE = 16 * 1024
const LARGEST_PIECE = 2 * 1024 * 1024
const decompress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdDecompress)

/** The lines of a row; undefined when it does not unpack, or marks missing ones. */
export function unpackLines(row: ChunkRow): UnpackedLines | undefined {
  if (row.linesZstd === null) return undefined
  try {
    return new UnpackedLines(zstdDecompressSync(row.linesZstd, optionsFor(row.linesZstd)), row.lineCount)
  } catch {
    return undefined
  }
}

/** As `unpackLines`, on another thread: worth it for the large rows of a search. */
export async function unpackLinesAside(row: ChunkRow): Promise<UnpackedLines | undefined> {
  if (row.linesZstd === null) return undefined
  try {
    return new UnpackedLines(await decompress(row.linesZstd, optionsFor(row.linesZstd)), row.lineCount)
  } catch {
    return undefined
  }
}

function optionsFor({ length }: Uint8Array): ZstdOptions {
  const chunkSize = Math.min(Math.max(length * USUAL_RATIO, SMALLEST_PIECE), LARGEST_PIECE)
  return { maxOutputLength: MOST_BYTES, chunkSize }
}
