import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { patienceFor } from './patience.ts'

describe('the patience of a round', () => {
  test('is none for the result of the only task, and for a third of those in hand', () => {
    assert.equal(patienceFor({ results: 1, inHand: 1, sinceRoundMs: 0 }), 0)
    assert.equal(patienceFor({ results: 4, inHand: 12, sinceRoundMs: 0 }), 0)
    assert.ok(patienceFor({ results: 3, inHand: 12, sinceRoundMs: 0 }) > 0)
  })

  test('ends soon after the last round, and later where nothing has ended', () => {
    const one = { results: 1, inHand: 12 }
    const none = { results: 0, inHand: 12 }
    for (const sinceRoundMs of [0, 1, 5, 10]) {
      const wait = patienceFor({ ...one, sinceRoundMs })
      assert.ok(wait > 0 && wait < patienceFor({ ...none, sinceRoundMs }))
      assert.equal(patienceFor({ ...one, sinceRoundMs: sinceRoundMs + wait }), 0)
    }
    assert.equal(patienceFor({ ...one, sinceRoundMs: 1000 }), 0)
    assert.equal(patienceFor({ ...none, sinceRoundMs: 1000 }), 0)
    assert.equal(patienceFor({ ...one, sinceRoundMs: Number.POSITIVE_INFINITY }), 0)
  })
})
