import { pipelineJsonSchema } from '@signalbox/pipeline/document'
import { expect, test } from 'vitest'
import { ITEM, placeInYaml } from './place-in-yaml.ts'
import { descriptionOf, nodesAt, readSchema, suggestionsAt } from './schema.ts'

const schema = readSchema(pipelineJsonSchema())

/** What is offered at the end of a text. */
function offered(text: string): readonly string[] {
  const place = placeInYaml(text, text.length)
  return place ? suggestionsAt(schema, place).map(({ label }) => label) : []
}

test('the keys of a document, the required ones first, and none a second time', () => {
  expect(offered('').slice(0, 2)).toEqual(['name', 'steps'])
  expect(offered('name: web\n')).not.toContain('name')
  expect(offered('name: web\n')).toContain('concurrency')
})

test('the keys of a step and of a task', () => {
  expect(offered('steps:\n  - ')).toEqual(expect.arrayContaining(['name', 'tasks', 'when', 'matrix']))
  expect(offered('steps:\n  - tasks:\n      - { ')).toEqual(expect.arrayContaining(['name', 'run', 'retry']))
})

test('the words that a value may be', () => {
  expect(offered('concurrency:\n  on_conflict: ')).toEqual(['cancel_running', 'queue', 'skip'])
  expect(offered('checkout: { submodules: ')).toEqual(['true', 'false', 'recursive'])
  expect(offered('name: ')).toEqual([])
})

test('a key below a name of any word is described by its pattern', () => {
  expect(descriptionOf(nodesAt(schema, ['secrets', 'NPM']))).toContain('stored secret')
  expect(nodesAt(schema, ['secrets', '1'])).toEqual([])
  expect(descriptionOf(nodesAt(schema, ['steps', ITEM, 'tasks', ITEM, 'timeout']))).toContain('10m')
})

test('what is no schema offers nothing', () => {
  expect(nodesAt(readSchema('x'), ['steps'])).toEqual([])
  expect(readSchema({ properties: 5, anyOf: 'x' })).toEqual({ properties: {} })
})
