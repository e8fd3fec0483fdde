import { expect, test } from 'vitest'
import { Repeated } from './repeated.ts'

test('what is asked for meanwhile is done once more, and never at the same time', async () => {
  const turns: PromiseWithResolvers<void>[] = []
  const begun = { now: 0, most: 0 }
  const repeated = new Repeated(
    async () => {
      begun.now += 1
      begun.most = Math.max(begun.most, begun.now)
      const turn = Promise.withResolvers<void>()
      turns.push(turn)
      await turn.promise
      begun.now -= 1
    },
    async () => undefined,
  )
  repeated.ask()
  for (let at = 0; at < 10; at += 1) repeated.ask()
  expect(turns).toHaveLength(1)
  turns[0]?.resolve()
  await expect.poll(() => turns.length).toBe(2)
  turns[1]?.resolve()
  await expect.poll(() => begun.now).toBe(0)
  expect(turns).toHaveLength(2)
  repeated.ask()
  await expect.poll(() => turns.length).toBe(3)
  turns[2]?.resolve()
  expect(begun.most).toBe(1)
})
