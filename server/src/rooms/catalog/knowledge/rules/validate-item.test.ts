import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ItemContent, ItemPlace } from './item.ts'
import { validateItem } from './validate-item.ts'

const POLICY: ItemPlace & ItemContent = {
  teamPath: 'acme/web',
  name: 'images',
  kind: 'policy',
  scope: '**',
  rule: 'task.images.all(image, image.startsWith("registry.acme.dev/"))',
  judgedAt: null,
  timeZone: 'UTC',
  message: 'Images come from registry.acme.dev.',
  text: '',
}
const REFERENCE: ItemPlace & ItemContent = { ...POLICY, kind: 'reference', rule: null, message: null, text: '# Hello' }

function faultsOf(changes: Partial<ItemPlace & ItemContent>, base = POLICY): string[] {
  return validateItem({ ...base, ...changes }).faults.map(
    ({ field, message, at }) => `${field}${at ? ` ${at.line}:${at.column}` : ''}: ${message}`,
  )
}

describe('an item in itself', () => {
  test('that is sound says where its rule is judged', () => {
    assert.deepEqual(validateItem(POLICY), { faults: [], judgedAt: ['task'] })
    assert.deepEqual(validateItem({ ...POLICY, rule: 'environment != "x"' }).judgedAt, ['run', 'step', 'task'])
    assert.deepEqual(validateItem({ ...POLICY, rule: 'environment != "x"', judgedAt: 'run' }).judgedAt, ['run'])
    assert.deepEqual(validateItem(REFERENCE), { faults: [], judgedAt: [] })
  })

  for (const [what, changes, expected] of [
    ['no rule', { rule: null }, /^rule: is required of a policy/],
    ['an empty rule', { rule: ' \n' }, /^rule: is required of a policy/],
    ['a rule that is a number', { rule: '1 + 1' }, /^rule 1:1: it gives no true or false/],
    ['no message', { message: ' ' }, /^message: is required/],
    ['another place', { scope: 'acme/ops/**' }, /^scope: matches no scope of acme\/web: write acme\/web\/\*\*/],
    ['no pattern', { scope: 'acme/web/[' }, /^scope: /],
    ['an exclusion', { scope: '!acme/web/**' }, /^scope: .*leave the "!" out/],
    ['no time zone', { timeZone: 'Berlin' }, /^time_zone: is not known/],
    ['a place too early', { judgedAt: 'step' }, /^at: is too early: the rule names `task`/],
    ['a syntax error', { rule: 'run.branch ==\n  and true' }, /^rule 2:7: write && instead of `and`/],
    ['an unknown name', { rule: 'true &&\n  job.name == "x"' }, /^rule 2:3: `job` is unknown here; known are/],
    ['an unknown function', { rule: 'shout(run.branch) == "x"' }, /^rule 1:1: there is no function `shout`/],
    ['an unknown part', { rule: 'true && run.team == "x"' }, /^rule 1:9: `run` has no part `team`: /],
    ['a misspelled part', { rule: 'task.comands == ""' }, /^rule 1:1: .* did you mean commands\?/],
    [
      'a part of the initiator',
      { rule: 'run.initiator.login == "x"' },
      /^rule 1:1: `run.initiator` has no part `login`/,
    ],
    ['a part of the time', { rule: 'now.day == "x"' }, /^rule 1:1: `now` has no part `day`/],
  ] as const) {
    test(`with ${what}`, () => {
      const faults = faultsOf(changes)
      assert.equal(faults.length, 1, faults.join('\n'))
      assert.match(faults[0] ?? '', expected)
    })
  }

  test('tells everything at once', () => {
    const fields = faultsOf({ rule: 'run.nope == run.no', message: null, timeZone: '', scope: '!' }).map(
      (fault) => fault.split(/[ :]/)[0],
    )
    assert.deepEqual(fields, ['scope', 'time_zone', 'message', 'rule', 'rule'])
  })

  test('variables may have any name', () => {
    assert.deepEqual(faultsOf({ rule: 'run.variables.ANY == "x" && run.variables["other"] == "y"' }), [])
  })

  test('a reference has a text and nothing that blocks', () => {
    const faults = faultsOf({ rule: 'true', message: 'x', judgedAt: 'run', text: ' ' }, REFERENCE)
    assert.deepEqual(
      faults.map((fault) => fault.split(':')[0]),
      ['rule', 'message', 'at', 'text'],
    )
  })
})
