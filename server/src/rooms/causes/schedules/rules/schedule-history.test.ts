import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RecordedChange, readHistory } from './index.ts'

const day = (number: number): Date => new Date(Date.UTC(2026, 10, number))
const change = (number: number, before: object, after: object): RecordedChange => ({
  occurredAt: day(number),
  before: { enabled: true, cron_expression: '0 1 * * *', name: 'a', ...before },
  after: { enabled: true, cron_expression: '0 1 * * *', name: 'a', ...after },
})
const createdAt = day(1)

// Newest first: made on the 1st, renamed on the 12th, disabled on the 5th, enabled on the 8th, timed anew on the 10th.
const CHANGES: readonly RecordedChange[] = [
  change(12, {}, { name: 'b' }),
  change(10, { cron_expression: '0 2 * * *' }, {}),
  { occurredAt: day(9), before: null, after: { run_id: 'r1' } },
  change(8, { enabled: false }, {}),
  change(5, {}, { enabled: false }),
  { occurredAt: createdAt, before: null, after: { enabled: true } },
]

test('a history tells since when the timing is what it is, and whether the schedule rested at the instant', () => {
  const at = (number: number) => readHistory({ changes: CHANGES, createdAt, enabled: true }, day(number))
  assert.deepEqual(at(11), { timingSince: day(10), disabledSince: null, enabledSince: null })
  assert.deepEqual(at(6), { timingSince: day(10), disabledSince: null, enabledSince: day(8) })
  assert.deepEqual(at(3), { timingSince: day(10), disabledSince: null, enabledSince: null })
})

test('a schedule is disabled since somebody did it, or since it was made', () => {
  const disabled = (changes: readonly RecordedChange[]) => readHistory({ changes, createdAt, enabled: false }, day(20))
  assert.deepEqual(disabled(CHANGES.slice(4)).disabledSince, day(5))
  assert.deepEqual(disabled([]).disabledSince, createdAt)
})
