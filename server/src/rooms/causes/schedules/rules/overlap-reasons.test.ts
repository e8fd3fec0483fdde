import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judgeOverlap } from './overlap.ts'
import { overlapReason, runOfReason, withoutRun } from './overlap-reasons.ts'

const policy = fc.constantFrom('skip' as const, 'queue_one' as const)

test('a reason that names a run is read back, and says the same without it', () => {
  fc.assert(
    fc.property(policy, fc.uuid(), (of, id) => {
      const reason = overlapReason(of, id)
      assert.equal(runOfReason(reason), id)
      assert.equal(withoutRun(reason), overlapReason(of))
      assert.equal(runOfReason(withoutRun(reason)), undefined)
    }),
  )
})

test('whatever an overlap policy says of a run is read back', () => {
  const standing = fc.array(fc.record({ id: fc.uuid(), queued: fc.boolean() }), { maxLength: 5 })
  fc.assert(
    fc.property(policy, standing, fc.nat({ max: 5 }), (of, runs, due) => {
      for (const reason of judgeOverlap({ policy: of, standing: runs, due }).skips) {
        if (reason === undefined) continue
        const shown = runOfReason(reason) === undefined ? reason : withoutRun(reason)
        for (const { id } of runs) assert.ok(!shown.includes(id), shown)
      }
    }),
  )
})

test('other reasons name no run of the schedule, and stay as they are', () => {
  const others = [
    'The scheduler did not run.',
    'A later instant of the schedule that was due as well took its place (overlap_policy cancel_running).',
    'steps.build: Run 01a210a0-bfa0-7003-9895-3fd4595d9412 of the schedule has not finished.',
    'Run r of the schedule has not finished.',
    '',
  ]
  for (const reason of others) {
    assert.equal(runOfReason(reason), undefined)
    assert.equal(withoutRun(reason), reason)
  }
  assert.equal(runOfReason(null), undefined)
})
