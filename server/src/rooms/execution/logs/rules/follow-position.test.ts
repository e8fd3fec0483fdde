import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readPosition, START, writePosition } from './follow-position.ts'

describe('the position of a follower', () => {
  test('reads back as it was written', () => {
    const tail = fc.stringMatching(/^[0-9a-f]{12}$/)
    const next = fc.array(fc.tuple(tail, fc.nat()), { maxLength: 5 }).map((entries) => new Map(entries))
    fc.assert(
      fc.property(fc.nat(), next, (covered, lines) => {
        assert.deepEqual(readPosition(writePosition({ covered, next: lines }), covered), { covered, next: lines })
      }),
    )
  })

  test('begins at the start for anything that is none', () => {
    fc.assert(fc.property(fc.string(), (text) => assert.doesNotThrow(() => readPosition(text, 0))))
    const now = Date.now()
    const beyond = writePosition({ covered: now + 2 * 86_400_000, next: new Map() })
    for (const text of [undefined, '', 'x', '12', ';;', '1;zz:1', 'zzzzzzzzzzz;', beyond]) {
      assert.deepEqual(readPosition(text, now), START, text)
    }
  })
})
