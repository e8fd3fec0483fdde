import { createHash, timingSafeEqual } from 'node:crypto'

export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}

/** Hashing both sides first makes lengths equal: timingSafeEqual throws on unequal ones and would tell the length. */
export function constantTimeEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}
