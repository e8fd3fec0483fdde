import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ChangeSide, describeChanges, isSlower, type TaskSide } from './changes.ts'

const EVIL = 'SBXEVIL'
const words = fc.constantFrom(`${EVIL} one`, `${EVIL} two`)
const taskSide: fc.Arbitrary<TaskSide> = fc.record({
  status: fc.constantFrom('success', 'failure', 'skipped'),
  tookMs: fc.option(fc.nat(100_000), { nil: null }),
  exitCode: fc.option(fc.nat(3), { nil: null }),
  runnerId: fc.constantFrom(null, 'r1', 'r2'),
  image: fc.option(words, { nil: null }),
  digest: fc.option(words, { nil: null }),
})
const side = (id: string): fc.Arbitrary<ChangeSide> =>
  fc.record({
    id: fc.constant(id),
    status: fc.constantFrom('success', 'failure'),
    pipeline: fc.constant('acme/build'),
    version: fc.nat(3),
    scope: fc.constantFrom('acme/a', 'acme/b'),
    commit: fc.option(words, { nil: null }),
    branch: fc.option(words, { nil: null }),
    variables: fc.dictionary(words, words, { maxKeys: 2 }),
    secretVariables: fc.uniqueArray(words),
    pins: fc.uniqueArray(fc.constantFrom('p1', 'p2')).map((pins) => new Set(pins)),
    tookMs: fc.option(fc.nat(100_000), { nil: null }),
  })
const tasks = fc.array(
  fc.record({
    step: fc.constant('a'),
    task: fc.constantFrom('b', 'c'),
    was: fc.option(taskSide, { nil: undefined }),
    is: fc.option(taskSide, { nil: undefined }),
  }),
  { maxLength: 30 },
)

describe('what differs between two runs', () => {
  test('is told with evidence, and without a word of others', () => {
    fc.assert(
      fc.property(side('old'), side('new'), tasks, fc.boolean(), (was, is, all, sameDocument) => {
        const found = describeChanges({ was, is, tasks: all, sameDocument })
        assert.ok(found.length > 0)
        for (const { sentence, evidence } of found) {
          assert.ok(!sentence.includes(EVIL), sentence)
          assert.ok(evidence.length > 0 && evidence.length <= 20)
        }
        const codes = found.map(({ code }) => code)
        assert.equal(codes.includes('changes.commit'), was.commit !== is.commit)
        assert.equal(codes.includes('changes.document'), !sameDocument)
      }),
    )
  })

  test('is nothing for a run and itself', () => {
    fc.assert(
      fc.property(side('one'), fc.array(taskSide, { maxLength: 5 }), (run, sides) => {
        const same = sides.map((each, at) => ({ step: 'a', task: `t${at}`, was: each, is: each }))
        const found = describeChanges({ was: run, is: run, tasks: same, sameDocument: true })
        assert.deepEqual(
          found.map(({ code }) => code),
          ['changes.none'],
        )
      }),
    )
  })

  test('counts a time that is twice as long, and long enough to matter', () => {
    assert.deepEqual(
      [
        [1000, 9000],
        [10_000, 20_000],
        [60_000, 90_000],
        [null, 90_000],
      ].map(([was = null, is = null]) => isSlower(was, is)),
      [false, true, false, false],
    )
  })
})
