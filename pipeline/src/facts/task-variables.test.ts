import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRun } from '../status/testing/index.ts'
import { describeChange, describeRun, namesOfRef, RUN_NAMES, TRIGGER_RUN_NAMES } from './run-facts.ts'
import { taskVariables } from './task-variables.ts'

const url = 'http://127.0.0.1:8080/v1/runs/1'

test('what a run has is a variable, and what it has not is absent', () => {
  assert.deepEqual(taskVariables({ ...aRun, url }), {
    SIGNALBOX_RUN_URL: url,
    SIGNALBOX_CAUSE: 'request',
    SIGNALBOX_REPOSITORY: 'acme/shop',
    SIGNALBOX_REF: 'refs/heads/main',
    SIGNALBOX_BRANCH: 'main',
    SIGNALBOX_COMMIT: 'a'.repeat(40),
  })
  const pull = { ...aRun, url, pullRequest: 7, branch: null, baseRef: 'main', headRef: '$(reboot)\n`id`' }
  const { SIGNALBOX_PULL_REQUEST, SIGNALBOX_BASE_REF, SIGNALBOX_HEAD_REF, ...rest } = taskVariables(pull)
  assert.deepEqual([SIGNALBOX_PULL_REQUEST, SIGNALBOX_BASE_REF, SIGNALBOX_HEAD_REF], ['7', 'main', '$(reboot)\n`id`'])
  assert.equal('SIGNALBOX_BRANCH' in rest, false)
})

test('the branch that a pull request wants to enter is never the branch of its run', () => {
  assert.deepEqual(namesOfRef('refs/pull/7/head', 'main', 7), { branch: null, tag: null })
  assert.deepEqual(namesOfRef('refs/heads/main', 'main', 7), { branch: null, tag: null })
  assert.deepEqual(namesOfRef('refs/heads/a/b', null, null), { branch: 'a/b', tag: null })
  assert.deepEqual(namesOfRef('refs/tags/v1', null, null), { branch: null, tag: 'v1' })
  assert.deepEqual(namesOfRef(null, 'main', null), { branch: 'main', tag: null })
})

test('an expression of a run sees every name, one of a trigger those that are known before', () => {
  assert.deepEqual(
    Object.keys(describeRun(aRun)),
    RUN_NAMES.map(({ name }) => name),
  )
  assert.deepEqual(Object.keys(describeChange(aRun)), TRIGGER_RUN_NAMES)
  assert.equal(TRIGGER_RUN_NAMES.includes('id'), false)
})

test('runs share a key by pull request, then by ref, then by repository; else with nobody', () => {
  const keyOf = (facts: Partial<typeof aRun>) => describeRun({ ...aRun, ...facts })['group_key']
  assert.equal(keyOf({ pullRequest: 7 }), 'acme/shop#7')
  assert.equal(keyOf({}), 'acme/shop@refs/heads/main')
  assert.equal(keyOf({ ref: null }), 'acme/shop')
  assert.equal(keyOf({ ref: null, repository: null }), aRun.id)
})
