import type { Buffer } from 'node:buffer'
import { constants, zstdCompressSync } from 'node:zlib'

// Level 1: the same size as level 3 on build logs within some percent. Synchronous: 16 µs for a line, 25 µs for
// 64 KiB, less than handing the work to a thread.
const params = { [constants.ZSTD_c_compressionLevel]: 1 }
const smallestPiece = 1024

/** zstd of a serialised `LogLines` message. */
export const compressLines = (message: Buffer): Buffer =>
  // Told the size, it takes memory for that much and no more; the answer seldom needs a second piece.
  zstdCompressSync(message, {
    params,
    pledgedSrcSize: message.length,
    chunkSize: Math.max(smallestPiece, message.length >> 2),
  })
