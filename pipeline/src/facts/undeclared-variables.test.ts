import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUndeclaredVariables } from './undeclared-variables.ts'

test('names that a pipeline does not declare are told in their order, with the pipeline', () => {
  const pipeline = { identifier: 'acme/web/deploy', variables: { VERSION: '', REGION: 'eu' } }
  const message = 'is not a variable of acme/web/deploy'
  assert.deepEqual(findUndeclaredVariables(pipeline, ['VERSION', 'LD_PRELOAD', 'REGION', 'PATH']), [
    { name: 'LD_PRELOAD', message },
    { name: 'PATH', message },
  ])
  assert.deepEqual(findUndeclaredVariables(pipeline, []), [])
})

test('what every object inherits is not declared', () => {
  const pipeline = { identifier: 'acme/web/deploy', variables: {} }
  const names = findUndeclaredVariables(pipeline, ['constructor', '__proto__', 'toString']).map(({ name }) => name)
  assert.deepEqual(names, ['constructor', '__proto__', 'toString'])
})
