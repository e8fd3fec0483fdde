import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createSealer, SealBroken } from './sealer.ts'

const first = randomBytes(32)
const second = randomBytes(32)

describe('a sealed value', () => {
  test('opens again, whatever it is', () => {
    const sealer = createSealer(new Map([[1, first]]))
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => sealer.open(sealer.seal(text, 'here'), 'here') === text.toWellFormed(),
      ),
    )
  })

  test('does not open in another place, with one byte changed, or when cut short', () => {
    const sealer = createSealer(new Map([[1, first]]))
    const sealed = sealer.seal('hunter2', 'secret:1:1')
    assert.throws(() => sealer.open(sealed, 'secret:2:1'), SealBroken)
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed[i] = (changed[i] ?? 0) ^ 1
      assert.throws(() => sealer.open(changed, 'secret:1:1'), SealBroken)
      assert.throws(() => sealer.open(sealed.subarray(0, i), 'secret:1:1'), SealBroken)
    }
  })

  test('is no mark: that is the same each time, and another one for another text, place or key', () => {
    const sealer = createSealer(new Map([[1, first]]))
    const mark = sealer.mark('a', 'plan:1')
    assert.match(mark, /^[0-9a-f]{32}$/)
    assert.equal(sealer.mark('a', 'plan:1'), mark)
    const others = [
      sealer.mark('b', 'plan:1'),
      sealer.mark('a', 'plan:2'),
      createSealer(new Map([[1, second]])).mark('a', 'plan:1'),
      sealer.mark('1a', 'plan:'),
    ]
    assert.equal(new Set([mark, ...others]).size, 5)
  })

  test('of an older key version opens beside the new key; with the new key alone it says which key is missing', () => {
    const old = createSealer(new Map([[1, first]])).seal('hunter2', 'x')
    const both = createSealer(
      new Map([
        [1, first],
        [2, second],
      ]),
    )
    assert.equal(both.keyVersion, 2)
    assert.equal(both.open(old, 'x'), 'hunter2')
    assert.throws(() => createSealer(new Map([[2, second]])).open(old, 'x'), /No key of version 1/)
  })

  test('never repeats its bytes', () => {
    const sealer = createSealer(new Map([[1, first]]))
    assert.notDeepEqual(sealer.seal('same', 'x'), sealer.seal('same', 'x'))
  })
})
