import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fateOf } from './greeting.ts'

test('what becomes of an attempt when its runner says Hello', () => {
  const leased = { status: 'leased', isLeased: true, inHand: true, hasBegun: true }
  assert.equal(fateOf(leased), 'goes_on')
  assert.equal(fateOf({ ...leased, hasBegun: false }), 'goes_on')
  assert.equal(fateOf({ ...leased, inHand: false }), 'lost')
  assert.equal(fateOf({ ...leased, inHand: false, hasBegun: false }), 'again')
  for (const hasBegun of [true, false]) {
    const ended = { status: 'success', isLeased: false, hasBegun }
    assert.equal(fateOf({ ...ended, inHand: true }), 'done')
    assert.equal(fateOf({ ...ended, inHand: false }), 'nothing')
    // Another dispatcher ended its lease between the look and the renewal.
    for (const inHand of [true, false]) {
      assert.equal(fateOf({ status: 'leased', isLeased: false, inHand, hasBegun }), 'nothing')
      assert.equal(fateOf({ status: 'lost', isLeased: false, inHand, hasBegun }), 'nothing')
    }
  }
})
