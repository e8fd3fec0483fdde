import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCopiedItem, aJudgedRun, RUN_BEGINS } from '../testing.ts'
import { type CopiedItem, createCopy } from './snapshot.ts'
import { violatorsOf } from './violators.ts'

/** The reason of a run that these items end. */
function reasonOf(...items: readonly Partial<CopiedItem>[]): string {
  const copied = items.map((item, at) => aCopiedItem({ id: `01900000-0000-7000-8000-00000000000${at}`, ...item }))
  return createCopy(1, copied, []).judge(aJudgedRun(), RUN_BEGINS, new Date()).violation ?? ''
}

test('the items that ended a run are read from the sentence that they made', () => {
  const freeze = { name: 'freeze', rule: 'false' }
  assert.deepEqual(violatorsOf(reasonOf(freeze)), ['acme/freeze'])
  assert.deepEqual(violatorsOf(reasonOf({ ...freeze, teamPath: '/' })), ['/freeze'])
  const unreadable = { name: 'lost', rule: 'run.variables.MISSING == "x"', kind: 'guardrail' as const }
  assert.deepEqual(violatorsOf(reasonOf(unreadable)), ['acme/lost'])
  const three = reasonOf(freeze, { ...freeze, name: 'images' }, { ...unreadable, teamPath: 'acme/web' })
  assert.deepEqual(violatorsOf(three), ['acme/freeze', 'acme/images', 'acme/web/lost'])
})

test('what ended a run otherwise names none', () => {
  for (const reason of ['', 'step build: exit code 1', 'ada may no longer start runs of acme.', 'The policy is old.']) {
    assert.deepEqual(violatorsOf(reason), [], reason)
  }
})
