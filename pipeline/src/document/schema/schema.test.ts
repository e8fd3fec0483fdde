import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pipelineJsonSchema } from './index.ts'

test('the JSON Schema is plain JSON of draft 2020-12 that describes every directive', () => {
  const schema = pipelineJsonSchema()
  assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema')
  const { properties, required } = schema
  assert.deepEqual(required, ['name', 'steps'])
  assert.deepEqual(Object.keys(properties ?? {}), [
    'name',
    'variables',
    'secrets',
    'profile',
    'timeout',
    'queue_timeout',
    'priority',
    'checkout',
    'concurrency',
    'steps',
    'final_outputs',
  ])
  for (const directive of [
    'depends_on',
    'ignore_failure',
    'idempotent',
    'retry',
    'outputs',
    'run',
    'pipeline',
    'matrix',
    'approval',
  ]) {
    assert.ok(JSON.stringify(schema).includes(`"${directive}":`), directive)
  }
  assert.ok(!JSON.stringify(schema).includes('~'))
})

test('its patterns are regular expressions that a Unicode-aware validator accepts', () => {
  const patterns: string[] = []
  JSON.stringify(pipelineJsonSchema(), (key, value) => {
    if (key === 'pattern') patterns.push(value)
    if (key === 'patternProperties') patterns.push(...Object.keys(value))
    return value
  })
  assert.ok(patterns.length > 5)
  for (const pattern of patterns) assert.doesNotThrow(() => new RegExp(pattern, 'u'), pattern)
})
