import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultsOf, soundGraph, withSteps } from '../testing.ts'

const shared = (tasks: string, more = '') => withSteps([`name: s, workspace: shared, ${more}tasks: [${tasks}]`])

describe('a step whose tasks share a workspace', () => {
  test('runs them in the order of their depends_on; others have one for each attempt', () => {
    const graph = soundGraph(
      withSteps([
        'name: s, workspace: shared, tasks: [{ name: a, run: x }, { name: c, run: x, depends_on: [b] }, { name: b, run: x, depends_on: [a] }]',
        'name: own, workspace: own, tasks: [{ name: a, run: x }, { name: b, run: x }]',
      ]),
    )
    assert.deepEqual(
      graph.steps.map((step) => step.sharedWorkspace),
      [true, undefined],
    )
  })

  test('leaves child pipelines out, which have no workspace', () => {
    const text = shared('{ name: a, run: x }, { name: b, pipeline: acme/web/b }, { name: c, run: x, depends_on: [a] }')
    assert.deepEqual(faultsOf(text), [])
  })

  const refused: readonly (readonly [string, string, RegExp])[] = [
    [
      'two tasks that may run at once',
      shared('{ name: a, run: x }, { name: b, run: x }'),
      /^shared_at_once steps\.s\.tasks\.b\.depends_on: .*`b` may run at once with `a`\. Write depends_on: \[a\]/,
    ],
    [
      'two tasks after the same one',
      shared('{ name: a, run: x }, { name: b, run: x, depends_on: [a] }, { name: c, run: x, depends_on: [a] }'),
      /^shared_at_once steps\.s\.tasks\.c\.depends_on: .*Write depends_on: \[b\]/,
    ],
    [
      'a matrix',
      shared('{ name: a, run: x }', 'matrix: { v: [1, 2] }, '),
      /^conflicting_directives steps\.s\.workspace: the instances of a matrix run at once/,
    ],
    [
      'a profile of one task',
      shared('{ name: a, run: x }, { name: b, run: x, depends_on: [a], profile: big }'),
      /^conflicting_directives steps\.s\.tasks\.b\.profile: .*write `profile` on the step/,
    ],
    [
      'a checkout of some tasks only',
      shared('{ name: a, run: x, checkout: false }, { name: b, run: x, depends_on: [a] }'),
      /^conflicting_directives steps\.s\.tasks\.b\.checkout: .*the same `checkout`/,
    ],
    [
      'an approval',
      withSteps(['name: s, workspace: shared, approval: { approvers: [group:leads] }']),
      /^conflicting_directives steps\.s\.workspace: .*a decision has no files/,
    ],
    [
      'another word',
      withSteps(['name: s, workspace: mine, tasks: [{ name: a, run: x }]']),
      /^invalid_value steps\.s\.workspace: .*own, shared/,
    ],
  ]
  for (const [what, text, expected] of refused) {
    test(`refuses ${what}`, () => {
      const faults = faultsOf(text)
      assert.equal(faults.length, 1, faults.join('\n'))
      assert.match(faults.join(), expected)
    })
  }
})
