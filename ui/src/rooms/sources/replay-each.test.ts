import { expect, test } from 'vitest'
import { replayEach } from './replay-each.ts'

const deliveries = [
  { id: '1', source_id: 'a' },
  { id: '2', source_id: 'b' },
  { id: '3', source_id: 'a' },
]
const done = (id: string) => ({ id, result: 'started', reason: 'matched' })

test('what one source did is told though another refuses, and is not done again', async () => {
  const asked: (readonly string[])[] = []
  let isAway = true
  const replay = async (ids: readonly string[], source: string) => {
    asked.push([source, ...ids])
    if (source === 'b' && isAway) throw new Error('away')
    return ids.map(done)
  }
  const first = await replayEach(deliveries, [], replay)
  expect(first.outcomes.map(({ id }) => id)).toEqual(['1', '3'])
  expect(first.error?.message).toBe('away')
  isAway = false
  const second = await replayEach(deliveries, first.outcomes, replay)
  expect(second).toEqual({ outcomes: ['1', '3', '2'].map(done), error: undefined })
  expect(asked).toEqual([
    ['a', '1', '3'],
    ['b', '2'],
    ['b', '2'],
  ])
})
