import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'

/** By which a file is known again. */
export interface FileMark {
  readonly bytes: number
  readonly sha256: string
}

/** Rows on their way into a new file of mode 0600; write to `input`, then wait for `done`: they are on disk. */
export function writeRows(path: string): { readonly input: Writable; readonly done: Promise<FileMark> } {
  const input = createZstdCompress()
  const meter = createMeter()
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  return { input, done: pipeline(input, meter.stream, file).then(meter.read) }
}

export async function readRows(path: string, into: Writable): Promise<void> {
  await pipeline(createReadStream(path), createZstdDecompress(), into)
}

/** Reads a whole file; undefined where there is none. */
export async function measureFile(path: string): Promise<FileMark | undefined> {
  const meter = createMeter()
  try {
    await pipeline(createReadStream(path), meter.stream.resume())
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return meter.read()
}

function createMeter(): { readonly stream: Transform; readonly read: () => FileMark } {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, read: () => ({ bytes, sha256: hash.digest('hex') }) }
}
