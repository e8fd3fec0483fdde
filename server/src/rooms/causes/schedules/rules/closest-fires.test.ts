import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestFires } from './index.ts'
import { compiled } from './testing/timing.ts'

const FROM = new Date('2026-11-23T00:00:00Z')

test('the smallest distance between fires', () => {
  const table: readonly (readonly [string, number | undefined])[] = [
    ['* * * * * *', 1],
    ['*/10 * * * * *', 10],
    ['0,50 * * * * *', 10],
    ['* * * * *', 60],
    ['59,0 * * * *', 60],
    ['*/15 * * * *', 900],
    ['0 3 * * *', 86_400],
    ['0 0 31 2 *', undefined],
  ]
  for (const [cronExpression, seconds] of table) {
    const closest = closestFires(compiled({ cronExpression, timezone: 'UTC' }), FROM)
    assert.equal(closest, seconds === undefined ? undefined : seconds * 1000, cronExpression)
  }
})
