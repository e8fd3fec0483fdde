import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, between, formatDuration } from './durations.ts'

test('a length of time has two units at most', () => {
  const shown = [0, 850, 4200, 59_960, 185_000, 7_800_000, 400_000_000].map(formatDuration)
  assert.deepEqual(shown, ['0 ms', '850 ms', '4.2 s', '1 m 00 s', '3 m 05 s', '2 h 10 m', '4 d'])
})

test('what has not ended runs until now; what has not begun has no length', () => {
  const now = Date.parse('2026-11-21T03:00:10.000Z')
  assert.equal(between('2026-11-21T03:00:00.000Z', null, now), '10.0 s')
  assert.equal(between('2026-11-21T03:00:00.000Z', '2026-11-21T03:00:02.000Z', now), '2.0 s')
  assert.equal(between(null, null, now), '')
  assert.equal(ago('2026-11-21T03:00:00.000Z', now), '10.0 s ago')
  assert.equal(ago(null, now), '')
})
