import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judgeOverlap, type OverlapPolicy } from './overlap.ts'

const policies: readonly OverlapPolicy[] = ['allow', 'skip', 'queue_one', 'cancel_running']
const standing = fc.array(fc.record({ id: fc.uuid(), queued: fc.boolean() }), { maxLength: 5 })
const question = fc.record({ policy: fc.constantFrom(...policies), standing, due: fc.nat({ max: 8 }) })

function started({ skips }: ReturnType<typeof judgeOverlap>): number {
  return skips.filter((reason) => reason === undefined).length
}

test('each due instant has a verdict, and each that is skipped a reason', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const verdict = judgeOverlap(asked)
      assert.equal(verdict.skips.length, asked.due)
      for (const reason of verdict.skips) if (reason !== undefined) assert.match(reason, /overlap_policy/)
    }),
  )
})

test('skip: one run at a time, and none beside one that goes on', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const verdict = judgeOverlap({ ...asked, policy: 'skip' })
      assert.equal(started(verdict), asked.standing.length === 0 ? Math.min(1, asked.due) : 0)
      assert.deepEqual(verdict.cancels, [])
    }),
  )
})

test('queue_one: one that waits behind those that go on, however many somebody started by hand', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const waits = asked.standing.some((run) => run.queued)
      const places = asked.standing.length === 0 ? 2 : waits ? 0 : 1
      assert.equal(started(judgeOverlap({ ...asked, policy: 'queue_one' })), Math.min(places, asked.due))
    }),
  )
})

test('cancel_running: the newest instant starts, and all that stood before it are canceled', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const verdict = judgeOverlap({ ...asked, policy: 'cancel_running' })
      assert.equal(started(verdict), Math.min(1, asked.due))
      if (asked.due === 0) return assert.deepEqual(verdict.cancels, [])
      assert.equal(verdict.skips.at(-1), undefined)
      assert.deepEqual(
        verdict.cancels,
        asked.standing.map((run) => run.id),
      )
    }),
  )
})

test('allow: everything that is due starts', () => {
  fc.assert(
    fc.property(question, (asked) => assert.equal(started(judgeOverlap({ ...asked, policy: 'allow' })), asked.due)),
  )
})
