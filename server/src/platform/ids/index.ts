import { randomFillSync } from 'node:crypto'

/** Makes ids. RFC 9562 UUIDv7: time-ordered, so that a primary key is also the order of creation. */
export interface Ids {
  next(): string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for any RFC 9562 text form; the version is not checked. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** UUIDv7 ids that never go backwards within one process: a 12-bit counter orders those of one millisecond. */
export function createIds(now: () => number): Ids {
  const pool = Buffer.alloc(8 * 256)
  let used = pool.length
  let lastMs = 0
  let counter = 0
  return {
    next() {
      const ms = now()
      if (ms > lastMs) {
        lastMs = ms
        counter = 0
      } else if (++counter > 0xfff) {
        lastMs += 1
        counter = 0
      }
      if (used === pool.length) {
        randomFillSync(pool)
        used = 0
      }
      const time = lastMs.toString(16).padStart(12, '0')
      const variant = ((pool[used] ?? 0) & 0x3f) | 0x80
      const tail = pool.toString('hex', used + 1, used + 8)
      used += 8
      const high = `7${counter.toString(16).padStart(3, '0')}`
      return `${time.slice(0, 8)}-${time.slice(8)}-${high}-${variant.toString(16)}${tail.slice(0, 2)}-${tail.slice(2)}`
    },
  }
}

/** The lowest UUIDv7 of a millisecond: everything made before it has a lower id. */
export function lowestIdOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
