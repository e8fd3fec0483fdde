/** Bytes of every part of a blob but the last: few requests, and little to send again. */
export const PART_SIZE = 8 * 1024 * 1024

/** Longer than a runner tries to send an archive, and longer than from its last part to the artifact. */
export const UNUSED_MS = 3_600_000

export function partCount(size: number): number {
  return Math.ceil(size / PART_SIZE)
}

/** Bytes that part `number` of a blob of `size` must have; 0 where there is no such part. */
export function partSize(size: number, number: number): number {
  return Math.max(0, Math.min(PART_SIZE, size - number * PART_SIZE))
}

/** Numbers of the parts that are not among the stored ones. */
export function missingParts(size: number, stored: Iterable<number>): number[] {
  const there = new Set(stored)
  return Array.from({ length: partCount(size) }, (_, number) => number).filter((number) => !there.has(number))
}

/** The key of the object of a part; each time a part is stored it gets another key. */
export function partKey(blobId: string, number: number, id: string): string {
  return `blobs/${blobId}/${number}-${id}`
}

export interface ByteRange {
  readonly first: number
  /** Included. */
  readonly last: number
}

/**
 * RFC 9110, 14.2: one range of bytes. Undefined for a header of another form: the whole archive is sent.
 * Null for a range outside of the archive (416).
 */
export function readRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  const [, from = '', to = ''] = match ?? []
  if (!match || (from === '' && to === '')) return undefined
  if (from === '') {
    const count = Math.min(Number(to), size)
    return count === 0 ? null : { first: size - count, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return first > last || first >= size ? null : { first, last }
}
