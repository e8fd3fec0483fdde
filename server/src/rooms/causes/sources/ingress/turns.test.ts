import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createTurns } from './turns.ts'

describe('lines that take turns', () => {
  test('one that came behind a thousand of another source is in the next group', () => {
    const turns = createTurns<string>()
    for (let at = 0; at < 1000; at += 1) turns.add('loud', `loud ${at}`)
    turns.add('quiet', 'quiet')
    const group = turns.take(128)
    assert.equal(group.length, 128)
    assert.ok(group.includes('quiet'))
    assert.deepEqual(group.slice(0, 2), ['loud 0', 'loud 1'])
  })

  test('more lines than places: who was not served is served next', () => {
    const turns = createTurns<string>()
    for (const line of ['a', 'b', 'c']) for (const item of [1, 2]) turns.add(line, `${line}${item}`)
    assert.deepEqual(
      [turns.take(2), turns.take(2), turns.take(2)],
      [
        ['a1', 'b1'],
        ['c1', 'a2'],
        ['b2', 'c2'],
      ],
    )
    assert.equal(turns.size, 0)
  })

  test('nothing is lost, doubled or overtaken within its line', () => {
    const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 5 })), { maxLength: 200 })
    fc.assert(
      fc.property(steps, (given) => {
        const turns = createTurns<{ line: string; at: number }>()
        const taken: { line: string; at: number }[] = []
        let added = 0
        for (const step of given) {
          if (typeof step === 'number') {
            const waiting = turns.size
            const group = turns.take(step)
            assert.equal(group.length, Math.min(step, waiting))
            taken.push(...group)
          } else turns.add(step, { line: step, at: added++ })
        }
        taken.push(...turns.take(added + 1))
        assert.equal(turns.size, 0)
        assert.equal(new Set(taken).size, added)
        for (const line of ['a', 'b', 'c']) {
          const own = taken.filter((item) => item.line === line).map((item) => item.at)
          assert.deepEqual(
            own,
            own.toSorted((a, b) => a - b),
          )
        }
      }),
    )
  })
})
