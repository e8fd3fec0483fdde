import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { patienceFor } from './patience.ts'

const just = { sinceRoundMs: 0, sinceOldestMs: 0 }

describe('the patience of a round', () => {
  test('is none for the result of the only task, and for half of those in hand', () => {
    assert.equal(patienceFor({ results: 1, inHand: 1, ...just }), 0)
    assert.equal(patienceFor({ results: 6, inHand: 12, ...just }), 0)
    assert.ok(patienceFor({ results: 5, inHand: 12, ...just }) > 0)
  })

  test('of results ends soon after the last round, of begins some time after they came', () => {
    const results = { results: 1, inHand: 12 }
    const begins = { results: 0, inHand: 12 }
    assert.ok(patienceFor({ ...results, ...just }) < patienceFor({ ...begins, ...just }))
    assert.equal(patienceFor({ ...results, sinceRoundMs: 1000, sinceOldestMs: 0 }), 0)
    assert.ok(patienceFor({ ...begins, sinceRoundMs: 1000, sinceOldestMs: 0 }) > 0)
    assert.equal(patienceFor({ ...begins, sinceRoundMs: 0, sinceOldestMs: 1000 }), 0)
    assert.equal(patienceFor({ ...begins, sinceRoundMs: Infinity, sinceOldestMs: Infinity }), 0)
  })
})
