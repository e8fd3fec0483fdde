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

/** UUIDv7 ids that never go backwards within one process: a 12-bit counter orders the ids of one millisecond. */
export function createIds(now: () => number): Ids {
  const pool = Buffer.alloc(8 * 256)
  let used = pool.length
  let lastMs = 0
  let counter = 0
  // The time is the same for all ids of one millisecond.
  let time = timeOf(lastMs)
  return {
    next() {
      const ms = now()
      if (ms > lastMs) {
        lastMs = ms
        counter = 0
        time = timeOf(ms)
      } else if (++counter > 0xfff) {
        lastMs += 1
        counter = 0
        time = timeOf(lastMs)
      }
      if (used === pool.length) {
        randomFillSync(pool)
        used = 0
      }
      const random = pool.toString('hex', used, used + 8)
      const variant = VARIANTS[(pool[used] ?? 0) >> 6]
      used += 8
      return `${time}-${(0x7000 + counter).toString(16)}-${variant}${random.slice(1, 4)}-${random.slice(4)}`
    },
  }
}

const VARIANTS = '89ab'

function timeOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** An id has 48 bits for its millisecond: from 1970 to the year 10889. */
const LAST_MS = 2 ** 48 - 1

/**
 * The lowest UUIDv7 of a millisecond: everything made before it has a lower id. Instants before the first id, or behind the
 * last, are taken for those: a filter by any date is one by ids.
 */
export function lowestIdOf(ms: number): string {
  return `${timeOf(Math.min(Math.max(ms, 0), LAST_MS))}-7000-8000-000000000000`
}

/** The millisecond that an id of ours was made in. */
export function madeAt(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
