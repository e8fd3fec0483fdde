/** Asks again and again until the answer is good; on time-out the error shows the last one. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T>,
  good: (value: T) => boolean,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  let last: unknown
  for (;;) {
    try {
      const value = await look()
      if (good(value)) return value
      last = value
    } catch (error) {
      last = error instanceof Error ? error.message : error
    }
    if (performance.now() > deadline)
      throw new Error(`Waited ${timeoutMs} ms for ${what}. Last: ${JSON.stringify(last)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
