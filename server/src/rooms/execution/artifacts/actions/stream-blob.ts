import { Readable } from 'node:stream'
import type { Queryable } from '#platform/database'
import { platformProblem } from '#platform/problems'
import { type ByteRange, PART_SIZE, partSize, readRange } from '../rules/index.ts'
import * as store from '../store/index.ts'
import type { Archive } from './fetch-archive.ts'
import { type ObjectPort, whenStored } from './object-port.ts'

export interface StreamedBlob {
  readonly status: 200 | 206
  readonly stream: Readable
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The bytes of an archive, one part in memory at a time, however slow the reader is. A `Range` of bytes is answered with
 * 206. Throws `invalid_request` (400) for one that is not there, and `storage.unavailable` (503) while nothing was sent yet.
 */
export async function streamBlob(
  { db, objects }: { readonly db: Queryable; readonly objects: ObjectPort },
  blob: Archive,
  rangeHeader: string | string[] | undefined,
  signal: AbortSignal,
): Promise<StreamedBlob> {
  const range = readRange(typeof rangeHeader === 'string' ? rangeHeader : undefined, blob.size)
  if (range === null) {
    throw platformProblem('invalid_request', `The archive has ${blob.size} bytes: ask for bytes below that.`)
  }
  const wanted = range ?? { first: 0, last: blob.size - 1 }
  const stored = new Map((await store.listParts(db, blob.id)).map((part) => [part.number, part.object]))
  const parts = readParts(objects, { size: blob.size, stored }, wanted, signal)
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
  { size, stored }: { readonly size: number; readonly stored: ReadonlyMap<number, string> },
  { first, last }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  for (let number = Math.floor(first / PART_SIZE); number * PART_SIZE <= last; number++) {
    signal.throwIfAborted()
    const object = stored.get(number)
    const bytes = object === undefined ? undefined : await whenStored(objects.get(object))
    // Too few would leave the reader waiting for the rest of what was promised.
    if (bytes?.length !== partSize(size, number)) {
      throw new Error(`part ${number}, ${object}, is not whole in the object store`)
    }
    const start = number * PART_SIZE
    yield bytes.subarray(Math.max(0, first - start), Math.min(bytes.length, last - start + 1))
  }
}

async function* chain(first: Buffer | undefined, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  if (first) yield first
  yield* rest
}
