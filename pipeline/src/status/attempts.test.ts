import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffAfter } from './attempts.ts'
import { aGraph, aStep, aTask } from './testing/index.ts'

test('the wait before another try doubles, and ends growing at an hour', () => {
  const retry = { attempts: 100, backoffMs: 1_000, exitCodes: null }
  const task = aGraph(aStep('one', { tasks: [aTask('work', { retry })] })).steps[0]?.tasks[0]
  assert.ok(task)
  assert.deepEqual(
    [1, 2, 3, 12, 13, 50].map((tries) => backoffAfter(task, tries)),
    [1_000, 2_000, 4_000, 2_048_000, 3_600_000, 3_600_000],
  )
})
