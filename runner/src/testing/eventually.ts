import assert from 'node:assert/strict'

/** Waits for what nobody tells: looks again and again, less often the longer it takes, for minutes. */
export const eventually = async (holds: () => boolean, what: string): Promise<void> => {
  for (let waited = 0; waited < 180_000; ) {
    if (holds()) return
    const pause = Math.min(20 + waited / 20, 200)
    await new Promise((resolve) => setTimeout(resolve, pause))
    waited += pause
  }
  assert.fail(`It never came to be: ${what}.`)
}
