import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock } from '#platform/testing'
import { AT_ONCE, createCallLimits, PER_MINUTE, STREAMS, type Turn } from './call-limits.ts'

function doneOf(turn: Turn): () => void {
  assert.ok('done' in turn)
  return turn.done
}

describe('calls of one token', () => {
  test('are as many in a minute as their kind allows; others have their own', async () => {
    const clock = createTestClock()
    const limits = createCallLimits(clock)
    for (const effect of ['read', 'plan', 'confirm'] as const) {
      for (let count = 0; count < PER_MINUTE[effect]; count++) doneOf(limits.take('token', effect))()
      const refused = limits.take('token', effect)
      assert.ok('why' in refused && refused.why === 'rate' && refused.retryAfterSeconds >= 1)
      doneOf(limits.take('another', effect))()
    }
  })

  test('are a few at once; each gives its place back once', () => {
    const limits = createCallLimits(createTestClock())
    const turns = Array.from({ length: AT_ONCE }, () => doneOf(limits.take('token', 'read')))
    assert.deepEqual(limits.take('token', 'plan'), { retryAfterSeconds: 1, why: 'at once' })
    turns[0]?.()
    turns[0]?.()
    doneOf(limits.take('token', 'read'))
    assert.ok('why' in limits.take('token', 'read'))
  })
})

test('a loop of refused calls is noted once a minute', () => {
  const limits = createCallLimits(createTestClock())
  assert.deepEqual(
    [limits.noteRefused('token'), limits.noteRefused('token'), limits.noteRefused('another')],
    [true, false, true],
  )
})

test('a token has a few streams, and a closed one makes room', () => {
  const limits = createCallLimits(createTestClock())
  const open = Array.from({ length: STREAMS }, () => limits.openStream('token'))
  assert.equal(limits.openStream('token'), undefined)
  assert.ok(limits.openStream('another'))
  open[0]?.()
  assert.ok(limits.openStream('token'))
})
