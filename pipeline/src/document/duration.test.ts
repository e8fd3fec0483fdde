import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DURATION_PATTERN, parseDuration } from './duration.ts'

test('durations are read as milliseconds', () => {
  assert.equal(parseDuration('90s'), 90_000)
  assert.equal(parseDuration('10m'), 600_000)
  assert.equal(parseDuration('1h30m'), 5_400_000)
  assert.equal(parseDuration('30d'), 2_592_000_000)
})

test('anything else is refused, and the pattern refuses no duration', () => {
  for (const text of ['', '90', '1.5h', 'h', '-1s', '30m1h', '0s', '31d', '1 h', '10 minutes', '٣s']) {
    assert.equal(parseDuration(text), undefined, text)
  }
  const pattern = new RegExp(DURATION_PATTERN)
  for (const text of ['90s', '1h30m', '1d2h3m4s']) assert.ok(pattern.test(text))
  for (const text of ['', '90', '1 h']) assert.ok(!pattern.test(text))
})
