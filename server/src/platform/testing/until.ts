/**
 * Waits for a condition that no event announces, asking again each few milliseconds.
 * Throws with the last value when `timeoutMs` pass, so that a failing test says what it saw.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  good: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await look()
    if (good(value)) return value
    if (performance.now() > deadline)
      throw new Error(`Waited ${timeoutMs} ms for ${what}; last: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
