import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Result } from '@signalbox/contracts/runner'
import fc from 'fast-check'
import type { AttemptEffect, AttemptEvent } from './attempt-state.ts'
import { NEW_ATTEMPT, transition, verdict } from './attempt-state.ts'

const stop = { why: 'canceled', reason: 'Canceled by ada.' } as const
const event: fc.Arbitrary<AttemptEvent> = fc.constantFrom<AttemptEvent>(
  { kind: 'started' },
  { kind: 'stop', stop },
  { kind: 'ended' },
  { kind: 'collected' },
  { kind: 'acknowledged' },
  { kind: 'lost' },
  { kind: 'lease_over' },
)

describe('an attempt', () => {
  test('whatever happens in whatever order: reports at most once, is forgotten at most once, never comes back', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let state = NEW_ATTEMPT
        const effects: AttemptEffect[] = []
        for (const each of events) {
          const before = state
          const step = transition(state, each)
          state = step.state
          effects.push(...step.effects)
          if (before.phase === 'gone') assert.deepEqual(step, { state: before, effects: [] })
        }
        for (const once of ['terminate', 'collect', 'report', 'forget', 'kill'] as const) {
          assert.ok(effects.filter((effect) => effect === once).length <= 1, once)
        }
        if (effects.includes('kill')) assert.ok(!effects.includes('report'), 'a lost attempt reports nothing')
        assert.equal(effects.includes('forget'), state.phase === 'gone')
      }),
    )
  })

  test('a stop that comes after the end changes nothing', () => {
    const ended = transition(transition(NEW_ATTEMPT, { kind: 'started' }).state, { kind: 'ended' }).state
    assert.deepEqual(transition(ended, { kind: 'stop', stop }), { state: ended, effects: [] })
  })

  test('a stop decides the result, whatever the script made of it', () => {
    const ends = [
      { kind: 'exited', exitCode: 0 },
      { kind: 'signaled', signal: 'SIGTERM' },
    ] as const
    for (const end of ends) assert.equal(verdict(stop, end).result, Result.CANCELED)
    assert.equal(verdict({ why: 'timed_out', reason: 'late' }, ends[0]).result, Result.TIMED_OUT)
    assert.deepEqual(verdict(undefined, ends[0]), { result: Result.SUCCESS, exitCode: 0, reason: '' })
    assert.deepEqual(verdict(undefined, { kind: 'not_started', reason: 'No shell.' }), {
      result: Result.FAILURE,
      exitCode: undefined,
      reason: 'No shell.',
    })
  })

  test('an attempt whose end nobody can know is lost, so that it may be tried again; one that failed is not', () => {
    assert.equal(verdict(undefined, { kind: 'broken_off', reason: 'gone' }).result, Result.LOST)
    assert.equal(verdict(undefined, { kind: 'broken_off', reason: 'gone' }).notBegun, undefined)
    const notBegun = verdict(undefined, { kind: 'not_begun', reason: 'no engine' })
    assert.deepEqual([notBegun.result, notBegun.notBegun], [Result.LOST, true])
    assert.equal(verdict(undefined, { kind: 'failed', reason: 'not kept' }).result, Result.FAILURE)
    assert.equal(verdict(stop, { kind: 'broken_off', reason: 'gone' }).result, Result.CANCELED)
  })
})
