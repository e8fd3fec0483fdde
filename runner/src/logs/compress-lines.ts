import { Buffer } from 'node:buffer'
import { constants, type ZstdOptions, zstdCompress, zstdCompressSync } from 'node:zlib'

// Level 1: the same size as level 3 on build logs within some percent.
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 }
const SMALLEST_PIECE = 1024
// 16 µs for a line, 25 µs for 64 KiB: less than handing the work to a thread. Half a megabyte takes 2 ms.
const ASIDE = 128 * 1024

// Told the size, it takes memory for that much and no more; the answer seldom needs a second piece.
function optionsFor({ length }: Buffer): ZstdOptions {
  return {
    params: PARAMS,
    pledgedSrcSize: length,
    chunkSize: Math.max(SMALLEST_PIECE, length >> 2),
  }
}

export interface Chunk {
  firstLine: number
  lineCount: number
  linesZstd: Buffer
}

/** zstd of a serialised `LogLines` message. */
export function compressLines(message: Buffer): Buffer {
  return zstdCompressSync(message, optionsFor(message))
}

interface Waiting {
  readonly firstLine: number
  readonly lineCount: number
  linesZstd: Buffer | undefined
}

export interface CompressorListener {
  chunk(chunk: Chunk): void
  /** Another thread has done some of what waited for it. */
  progressed(): void
}

/** Compresses the chunks of one log, large ones on another thread, and hands them on in the order in which they came. */
export class ChunkCompressor {
  readonly #listener: CompressorListener
  #waiting: Waiting[] = []

  constructor(listener: CompressorListener) {
    this.#listener = listener
  }

  /** Chunks that are not handed on yet. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** `message` is read before this returns. */
  add(firstLine: number, lineCount: number, message: Buffer): void {
    if (message.length < ASIDE && this.#waiting.length === 0) {
      this.#listener.chunk({ firstLine, lineCount, linesZstd: compressLines(message) })
      return
    }
    const own = Buffer.from(message)
    const chunk: Waiting = { firstLine, lineCount, linesZstd: undefined }
    this.#waiting.push(chunk)
    zstdCompress(own, optionsFor(own), (error, bytes) => {
      // Without a thread or memory for the work, this thread compresses, and a fault surfaces here.
      chunk.linesZstd = error === null ? bytes : compressLines(own)
      if (this.#waiting.includes(chunk)) this.#handOn()
    })
  }

  /** From now on no chunk is handed on. */
  close(): void {
    this.#waiting = []
  }

  #handOn(): void {
    for (let [first] = this.#waiting; first?.linesZstd !== undefined; [first] = this.#waiting) {
      const { firstLine, lineCount, linesZstd } = first
      this.#waiting.shift()
      this.#listener.chunk({ firstLine, lineCount, linesZstd })
    }
    this.#listener.progressed()
  }
}
