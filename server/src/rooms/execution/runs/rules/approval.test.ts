import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ApprovalState, type AskedApproval, judgeApproval } from './approval.ts'

const sha = fc.constantFrom('a', 'b')
const asked: fc.Arbitrary<AskedApproval> = fc.record({
  decision: fc.constantFrom('approve', 'reject'),
  commitSha: fc.option(sha, { nil: undefined }),
})
const state: fc.Arbitrary<ApprovalState> = fc.record({
  status: fc.constantFrom('queued', 'running', 'success', 'canceled'),
  held: fc.boolean(),
  commitSha: fc.option(sha),
  earlier: fc.option(fc.constantFrom('approve', 'reject'), { nil: undefined }),
  head: fc.option(sha, { nil: undefined }),
})

test('what is decided was never decided before, waits, and is of the commit that was looked at and is the newest', () => {
  fc.assert(
    fc.property(asked, state, (wish, run) => {
      const decides = judgeApproval(wish, run).kind === 'decide'
      const looked = wish.commitSha === undefined || wish.commitSha === run.commitSha
      const newest = wish.decision === 'reject' || run.head === undefined || run.head === run.commitSha
      assert.equal(decides, run.earlier === undefined && run.held && run.status === 'queued' && looked && newest)
    }),
  )
})

test('what was decided stays: the same again is no change, the opposite is refused', () => {
  fc.assert(
    fc.property(asked, state, (wish, run) => {
      fc.pre(run.earlier !== undefined)
      assert.equal(judgeApproval(wish, run).kind, run.earlier === wish.decision ? 'repeated' : 'decided')
    }),
  )
})
