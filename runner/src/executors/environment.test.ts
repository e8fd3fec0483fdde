import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { AssignSchema } from '@signalbox/contracts/runner'
import { TASK_VARIABLES, taskVariables } from '@signalbox/pipeline/facts'
import { taskEnvironment } from './environment.ts'

const headRef = '$(touch caught)\n`touch caught`; "\'\\'
const told = taskVariables({
  id: '1',
  url: 'http://127.0.0.1:8080/v1/runs/1',
  cause: 'event',
  pipeline: 'acme/web/build',
  scope: 'acme/web/test',
  repository: 'acme/shop',
  ref: 'refs/heads/main',
  branch: 'main',
  tag: 'v1',
  commit: 'a'.repeat(40),
  pullRequest: 7,
  baseRef: 'main',
  headRef,
  scheduledAt: '2026-11-23T02:30:00.000Z',
})
const assign = create(AssignSchema, { runId: '1', environment: { CI: 'no', ...told } })
const environment = taskEnvironment(assign, { directory: '/workspace', outputFile: '/output', temporary: '/tmp/1' }, {})

test('a task has the variables of the table, and no others that it did not ask for', () => {
  assert.deepEqual(Object.keys(environment).sort(), TASK_VARIABLES.map(({ name }) => name).sort())
  assert.equal(environment['CI'], 'no')
})

test('a name that its author chose reaches the task as it is, and no shell reads it', () => {
  const script = 'printf %s "$SIGNALBOX_HEAD_REF"'
  const written = execFileSync('sh', ['-e', '-c', script], { env: environment, encoding: 'utf8' })
  assert.equal(written, headRef)
})
