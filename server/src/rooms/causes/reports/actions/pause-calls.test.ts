import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { createPauses } from './pause-calls.ts'

test('calls that fail together lengthen the pause once; an answer ends it', async () => {
  const clock = createTestClock()
  const pauses = createPauses(clock)
  const left = () => (pauses.until('s')?.getTime() ?? clock.now().getTime()) - clock.now().getTime()
  pauses.failed('s')
  pauses.failed('s')
  assert.equal(left(), 0, 'two may be bad luck')
  for (let at = 0; at < 4; at++) pauses.failed('s')
  assert.equal(left(), 5_000)
  await clock.advance(5_000)
  for (let at = 0; at < 4; at++) pauses.failed('s')
  assert.equal(left(), 10_000)
  assert.equal(pauses.until('another'), undefined)
  pauses.answered('s')
  assert.equal(left(), 0)
})
