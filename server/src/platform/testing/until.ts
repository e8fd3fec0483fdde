import { inspect } from 'node:util'

/**
 * Waits for a condition that no event announces, asking again after a few milliseconds, later after more. Throws with
 * the last value when `timeoutMs` pass, so that a failing test says what it saw. A slow machine needs less time than
 * that; a longer wait would hide a fault that mends itself.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  good: (value: T) => boolean,
  timeoutMs = 40_000,
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    const value = await look()
    if (good(value)) return value
    const waited = performance.now() - begun
    if (waited > timeoutMs) throw new Error(`Waited ${timeoutMs} ms for ${what}; last: ${inspect(value, { depth: 8 })}`)
    await new Promise((resolve) => setTimeout(resolve, Math.min(10 + waited / 20, 100)))
  }
}
