import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startingSentences } from './starting-sentences.ts'
import { startRunner } from './testing/runner-under-test.ts'

const cgroup = { folder: '/sys/fs/cgroup/a', [Symbol.dispose]: () => {} }
const noCgroup = { folder: undefined, missing: 'this machine has no cgroup v2', [Symbol.dispose]: () => {} }
const said = (isRoot: boolean, executors: readonly ('host' | 'container')[], chosen: boolean, found = noCgroup) =>
  startingSentences({ isRoot, executors: new Set(executors), chosen, cgroup: found }).join('\n')

test('an operator hears what a root runner leaves out, and what both kinds of tasks beside each other mean', () => {
  assert.match(said(true, ['host'], false), /it runs tasks on the host alone\. --executors container/)
  assert.match(said(true, ['host', 'container'], true), /Give each kind a runner of its own/)
  assert.doesNotMatch(said(true, ['container'], true), /root/)
})

test('an operator hears that tasks get no cgroup, why, and what holds instead', () => {
  assert.match(said(true, ['host'], true), /no cgroup of their own \(this machine has no cgroup v2\): .* its account/)
  assert.match(said(false, ['host'], true), /sheds its environment and its folder outlives its task/)
  const means = { isRoot: true, executors: new Set(['host'] as const), chosen: true, cgroup }
  assert.doesNotMatch(startingSentences(means).join('\n'), /cgroup/)
})

test('a root runner that was not told otherwise offers the host alone', {
  skip: process.getuid?.() !== 0,
}, async () => {
  await using runner = await startRunner({ executors: undefined })
  assert.deepEqual(runner.gateway.hellos.at(-1)?.executors, ['host'])
  assert.match(runner.diary.join('\n'), /it runs tasks on the host alone/)
})
