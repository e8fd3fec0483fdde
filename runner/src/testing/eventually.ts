import assert from 'node:assert/strict'

/** Waits for what nobody tells: looks again and again, for a minute at least. */
export const eventually = async (holds: () => boolean, what: string): Promise<void> => {
  for (let turn = 0; turn < 3000; turn++) {
    if (holds()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail(`It never came to be: ${what}.`)
}
