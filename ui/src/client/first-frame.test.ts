import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
})
afterEach(() => vi.useRealTimers())

/** Whether the frame is still waiting, after so long. */
async function isWaiting(frame: Promise<void>, afterMs: number): Promise<boolean> {
  const drawn = vi.fn<() => void>()
  void (async () => {
    await frame
    drawn()
  })()
  await vi.advanceTimersByTimeAsync(afterMs)
  return drawn.mock.calls.length === 0
}

const never = new Promise(() => undefined)

test('the first frame waits for what it shows, and not for long', async () => {
  const { withFirstFrame } = await import('./first-frame.ts')
  const frame = withFirstFrame(never)
  expect(await isWaiting(frame, 149)).toBe(true)
  expect(await isWaiting(frame, 1)).toBe(false)
})

test('it is drawn with what it shows as soon as that is there', async () => {
  const { withFirstFrame } = await import('./first-frame.ts')
  expect(await isWaiting(withFirstFrame(Promise.resolve()), 0)).toBe(false)
})

test('no later page waits', async () => {
  const { withFirstFrame } = await import('./first-frame.ts')
  await withFirstFrame(Promise.resolve())
  expect(await isWaiting(withFirstFrame(never), 0)).toBe(false)
})
