import assert from 'node:assert/strict'

/**
 * Waits for a state that no event announces: looks again and again, less often with time. `what` may be a function that
 * says what was seen last.
 */
export const eventually = async (holds: () => boolean, what: string | (() => string)): Promise<void> => {
  const begun = performance.now()
  for (let waited = 0; performance.now() - begun < 40_000; ) {
    if (holds()) return
    const pause = Math.min(20 + waited / 20, 200)
    await new Promise((resolve) => setTimeout(resolve, pause))
    waited += pause
  }
  assert.fail(`It did not come to be in 40 s: ${typeof what === 'string' ? what : what()}.`)
}
