import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pipelineJsonSchema } from './schema.ts'

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
    'checkout',
    'steps',
  ])
  for (const directive of ['depends_on', 'ignore_failure', 'idempotent', 'retry', 'outputs', 'run']) {
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
