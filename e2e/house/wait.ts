import { inspect } from 'node:util'

/**
 * Asks again and again until the answer is good; on time-out the error shows the last one. A wait longer than a fault
 * takes to mend itself would hide the fault.
 */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T>,
  good: (value: T) => boolean,
  timeoutMs = 40_000,
): Promise<T> {
  const begun = performance.now()
  let last: unknown
  for (;;) {
    try {
      const value = await look()
      if (good(value)) return value
      last = value
    } catch (error) {
      last = error instanceof Error ? error.message : error
    }
    const waited = performance.now() - begun
    if (waited > timeoutMs) throw new Error(`Waited ${timeoutMs} ms for ${what}. Last: ${inspect(last, { depth: 8 })}`)
    // A long wait asks less often: each question is work for the product, and others wait meanwhile.
    await new Promise((resolve) => setTimeout(resolve, Math.min(20 + waited / 20, 250)))
  }
}
