import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backOff } from './back-off.ts'

test('the wait grows from 0.2 s to 10 s and is spread over half of its range', () => {
  assert.equal(backOff(0, 0), 100)
  assert.equal(backOff(0, 0.999), 200)
  assert.equal(backOff(3, 0.999), 1599)
  assert.equal(backOff(100, 0.9999), 10_000)
  fc.assert(
    fc.property(fc.nat(2000), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, random) => {
      const wait = backOff(failures, random)
      assert.ok(wait >= 100 && wait <= 10_000)
      assert.ok(backOff(failures + 1, 0) >= backOff(failures, 0))
    }),
  )
})
