import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { describeTaskTypes, TASK_TYPES, taskTypeOf } from './registry.ts'

test('each folder is one kind of task in the registry, and the other way round', async () => {
  const entries = await readdir(new URL('.', import.meta.url), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  assert.deepEqual(TASK_TYPES.map((type) => type.kind).toSorted(), folders.toSorted())
})

test('a kind is told by its directive, which its schema describes', () => {
  for (const type of TASK_TYPES) {
    assert.ok(Object.hasOwn(type.directives, type.directive))
    assert.equal(
      taskTypeOf((name) => name === type.directive),
      type,
    )
  }
  assert.equal(
    taskTypeOf(() => false),
    undefined,
  )
  assert.equal(describeTaskTypes(), '`run` or `pipeline`')
})
