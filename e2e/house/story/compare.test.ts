import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findDifference } from './compare.ts'

describe('what a story expects', () => {
  const seen = {
    id: 'a1',
    runs: ['r1', 'r2'],
    trace: { events: [{ layer: null, count: 2, done: true }] },
  }

  test('holds where all that is named is there, and may leave out fields', () => {
    for (const expected of [
      {},
      { id: 'a1' },
      { id: '/^a/' },
      { runs: ['r1', '/r/'] },
      { trace: { events: [{ layer: null, count: 2 }] } },
      { absent: null },
    ]) {
      assert.equal(findDifference(expected, seen), undefined, JSON.stringify(expected))
    }
  })

  test('does not hold where something differs, is missing or is too much in a list; the place is named', () => {
    const cases: readonly [unknown, string][] = [
      [{ id: 'a' }, 'id is "a1"'],
      [{ id: '/^b/' }, 'id is "a1"'],
      [{ id: null }, 'id is "a1"'],
      [{ runs: [] }, 'runs is ["r1","r2"]'],
      [{ runs: ['r1'] }, 'runs is ["r1","r2"]'],
      [{ runs: ['r2', 'r1'] }, 'runs.0 is "r1"'],
      [{ trace: { events: [{ count: '2' }] } }, 'trace.events.0.count is 2'],
      [{ trace: { events: [{ done: false }] } }, 'trace.events.0.done is true'],
      [{ absent: '/./' }, 'absent is undefined'],
      [{ absent: [] }, 'absent is undefined'],
      [{ absent: {} }, 'absent is undefined'],
      [{ id: {} }, 'id is "a1"'],
    ]
    for (const [expected, told] of cases) {
      const difference = findDifference(expected, seen)
      assert.ok(difference?.startsWith(told), `${JSON.stringify(expected)}: ${difference}`)
    }
  })
})
