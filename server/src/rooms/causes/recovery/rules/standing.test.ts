import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeGap, stateOf } from './standing.ts'

const NOW = new Date('2026-11-28T10:00:00.000Z')
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const NONE = { oldestMissingAt: null, seenUntil: null, failedAt: null, now: NOW }

test('a recovery is missing until it came or is given up', () => {
  assert.equal(stateOf({ recoveredAt: null, givenUpReason: null }), 'missing')
  assert.equal(stateOf({ recoveredAt: NOW, givenUpReason: null }), 'recovered')
  assert.equal(stateOf({ recoveredAt: null, givenUpReason: 'too old' }), 'given_up')
})

test('the gap begins at the oldest missing delivery, and lasts until it came', () => {
  assert.deepEqual(describeGap({ ...NONE, oldestMissingAt: at(-60), seenUntil: at(-5) }), { from: at(-60), to: NOW })
  assert.deepEqual(describeGap({ ...NONE, oldestMissingAt: at(-60), failedAt: at(-1) }), { from: at(-60), to: NOW })
})

test('where the newest look failed, it begins at the last good one, or at the failure where there was none', () => {
  assert.deepEqual(describeGap({ ...NONE, seenUntil: at(-30), failedAt: at(-1) }), { from: at(-30), to: at(-1) })
  assert.deepEqual(describeGap({ ...NONE, failedAt: at(-1) }), { from: at(-1), to: at(-1) })
})

test('there is none where all was looked at and nothing is missing', () => {
  assert.equal(describeGap({ ...NONE, seenUntil: at(-5) }), null)
  assert.equal(describeGap(NONE), null)
})
