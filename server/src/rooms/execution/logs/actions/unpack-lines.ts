import { zstdDecompressSync } from 'node:zlib'
import { fromBinary } from '@bufbuild/protobuf'
import { type LogLine, LogLinesSchema } from '@signalbox/contracts/runner'

/** A chunk says less than this when it is unpacked, or it is no chunk: a few bytes of zstd can be made to say gigabytes. */
const MAX_UNPACKED = 64 * 1024 * 1024

/** The lines of a chunk; undefined when it does not unpack. */
export function unpackLines(linesZstd: Uint8Array): readonly LogLine[] | undefined {
  try {
    return fromBinary(LogLinesSchema, zstdDecompressSync(linesZstd, { maxOutputLength: MAX_UNPACKED })).lines
  } catch {
    return undefined
  }
}
