import { Readable } from 'node:stream'
import type { Answer } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Clock } from '#platform/time'
import { artifactProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { type ByteRange, PART_SIZE, partSize, readRange } from '../rules/index.ts'
import * as store from '../store/index.ts'
import type { Archive } from './fetch-archive.ts'
import { whenStored } from './object-port.ts'

/** An answer; its body is the stream. */
export interface StreamedBlob extends Answer<200 | 206, Readable> {
  readonly body: Readable
  readonly headers: Readonly<Record<string, string>>
}

export interface Asking {
  readonly range: string | string[] | undefined
  readonly signal: AbortSignal
  /** The holder of the share of memory that the download takes. */
  readonly holder: string
}

/** A reader that takes less than this in so long is cut, and may ask for the rest with a `Range`. */
const PIECE_BYTES = 256 * 1024
const STALLED_MS = 60_000
const WAIT_MS = 20_000
const LOOK_MS = 200

/**
 * The bytes of an archive, one part in memory at a time, however slow the reader is. A `Range` of bytes is answered with
 * 206. Throws `invalid_request` (400) for a range outside of the archive. Throws `overloaded` (503) when the holder's share
 * of the memory was in use for 20 s. Throws `storage.unavailable` (503) only before the first byte.
 */
export async function streamBlob(means: Means, blob: Archive, asking: Asking): Promise<StreamedBlob> {
  const { signal, holder } = asking
  const range = readRange(typeof asking.range === 'string' ? asking.range : undefined, blob.size)
  if (range === null) {
    throw platformProblem('invalid_request', `The archive has ${blob.size} bytes: ask for bytes below that.`)
  }
  const wanted = range ?? { first: 0, last: blob.size - 1 }
  const giveBack = await takeShare(means, holder, Math.min(PART_SIZE, blob.size), signal)
  const stream = await openStream(means, blob, wanted, signal).catch((error: unknown) => {
    giveBack()
    throw error
  })
  stream.once('close', giveBack)
  const headers = {
    'content-type': 'application/zstd',
    'content-length': String(wanted.last - wanted.first + 1),
    'accept-ranges': 'bytes',
    etag: `"${blob.sha256}"`,
    ...(range ? { 'content-range': `bytes ${range.first}-${range.last}/${blob.size}` } : {}),
  }
  return { status: range ? 206 : 200, body: stream, headers }
}

/** Takes a share of the memory for archives, as soon as there is one. Answers how to give it back, once. */
export async function takeShare(
  { clock, outgoing }: Means,
  holder: string,
  bytes: number,
  signal: AbortSignal,
): Promise<() => void> {
  const until = clock.monotonic() + WAIT_MS
  while (!outgoing.take(holder, bytes)) {
    if (clock.monotonic() >= until) {
      const detail = 'Too many archives are being sent at once. Ask again.'
      throw platformProblem('overloaded', detail, { headers: { 'retry-after': '5' } })
    }
    await clock.sleep(LOOK_MS, signal)
    signal.throwIfAborted()
  }
  let isHeld = true
  return () => {
    if (isHeld) outgoing.giveBack(holder, bytes)
    isHeld = false
  }
}

async function openStream(means: Means, blob: Archive, wanted: ByteRange, signal: AbortSignal): Promise<Readable> {
  const parts = readArchive(means, blob, signal, wanted)
  // The first part before the head is sent: a store that is away is an answer, not a connection that breaks off.
  const first = await parts.next()
  const cut = (): void => void stream.destroy(new Error('the reader takes nothing any more'))
  const pieces = inPieces(chain(first.done ? undefined : first.value, parts), means.clock, cut)
  const stream = Readable.from(pieces, { objectMode: false, highWaterMark: PIECE_BYTES })
  return stream
}

/** The bytes of an archive, part by part. */
export async function* readArchive(
  { database, objects }: Means,
  { id, size }: Archive,
  signal: AbortSignal,
  { first, last }: ByteRange = { first: 0, last: size - 1 },
): AsyncGenerator<Buffer, void> {
  const stored = new Map((await store.listParts(database.kysely, id)).map((part) => [part.number, part.object]))
  for (let number = Math.floor(first / PART_SIZE); number * PART_SIZE <= last; number++) {
    signal.throwIfAborted()
    const object = stored.get(number)
    const bytes = object === undefined ? undefined : await whenStored(objects.get(object))
    // Too few would leave the reader waiting for the rest of what was promised.
    if (bytes?.length !== partSize(size, number)) {
      const detail = `Part ${number} of the archive is not whole in the object store. Run the task again to make it anew.`
      throw artifactProblem('storage.object_lost', detail)
    }
    const start = number * PART_SIZE
    yield bytes.subarray(Math.max(0, first - start), Math.min(bytes.length, last - start + 1))
  }
}

async function* chain(first: Buffer | undefined, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  if (first) yield first
  yield* rest
}

/** Small ones, so that the next part is not read before this one is taken; `cut` is called when one is not. */
export async function* inPieces(
  parts: AsyncIterable<Buffer>,
  clock: Clock,
  cut: () => void,
): AsyncGenerator<Buffer, void> {
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      const stalled = clock.after(STALLED_MS, cut)
      try {
        yield part.subarray(at, at + PIECE_BYTES)
      } finally {
        stalled.cancel()
      }
    }
  }
}
