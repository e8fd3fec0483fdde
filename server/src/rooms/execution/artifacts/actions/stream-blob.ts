import { Readable } from 'node:stream'
import { platformProblem } from '#platform/problems'
import { type ByteRange, PART_SIZE, partKey, readRange } from '../rules/index.ts'
import type { Archive } from './fetch-archive.ts'
import { type ObjectPort, whenStored } from './object-port.ts'

export interface StreamedBlob {
  readonly status: 200 | 206
  readonly stream: Readable
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The bytes of an archive, one part in memory at a time, however slow the reader is. A `Range` of bytes is answered with
 * 206, one that is not there with 416. Throws `storage.unavailable` (503) while nothing was sent yet.
 */
export async function streamBlob(
  objects: ObjectPort,
  blob: Archive,
  rangeHeader: string | string[] | undefined,
  signal: AbortSignal,
): Promise<StreamedBlob> {
  const range = readRange(typeof rangeHeader === 'string' ? rangeHeader : undefined, blob.size)
  if (range === null) {
    throw platformProblem('invalid_request', `The archive has ${blob.size} bytes: ask for bytes below that.`)
  }
  const wanted = range ?? { first: 0, last: blob.size - 1 }
  const parts = readParts(objects, blob.id, wanted, signal)
  // The first part before the head is sent: a store that is away is an answer, not a connection that breaks off.
  const first = await parts.next()
  const stream = Readable.from(chain(first.done ? undefined : first.value, parts), { objectMode: false })
  const headers = {
    'content-type': 'application/zstd',
    'content-length': String(wanted.last - wanted.first + 1),
    'accept-ranges': 'bytes',
    etag: `"${blob.sha256}"`,
    ...(range ? { 'content-range': `bytes ${range.first}-${range.last}/${blob.size}` } : {}),
  }
  return { status: range ? 206 : 200, stream, headers }
}

async function* readParts(
  objects: ObjectPort,
  blobId: string,
  { first, last }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  for (let number = Math.floor(first / PART_SIZE); number * PART_SIZE <= last; number++) {
    signal.throwIfAborted()
    const bytes = await whenStored(objects.get(partKey(blobId, number)))
    if (!bytes) throw new Error(`part ${number} of blob ${blobId} is not in the object store`)
    const start = number * PART_SIZE
    yield bytes.subarray(Math.max(0, first - start), Math.min(bytes.length, last - start + 1))
  }
}

async function* chain(first: Buffer | undefined, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  if (first) yield first
  yield* rest
}
