import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import Schema from 'typebox/schema'
import { parse } from 'yaml'
import { parsePipeline } from '../parse-pipeline.ts'
import { pipelineJsonSchema } from './index.ts'

const schema = Schema.Compile(pipelineJsonSchema())

/** Every example of a page about the language; each of them is a whole document. */
function examplesOf(page: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/pipelines', page), 'utf8')
  return [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
}

for (const [page, least] of [
  ['language.md', 9],
  ['concepts.md', 2],
] as const) {
  describe(`examples of ${page}`, () => {
    const examples = examplesOf(page)
    test('are there', () => assert.ok(examples.length >= least, `${examples.length}`))
    for (const example of examples) {
      test(example.split('\n')[0] ?? '', () => {
        const result = parsePipeline(example)
        assert.deepEqual(result.ok ? result.warnings : result.problems, [])
        assert.ok(schema.Check(parse(example)), 'the schema for editors refuses it')
      })
    }
  })
}

describe('the schema for editors', () => {
  const refused: readonly (readonly [string, unknown])[] = [
    ['no steps', { name: 'a', steps: [] }],
    ['a step without work', { name: 'a', steps: [{ name: 's' }] }],
    ['a task without work', { name: 'a', steps: [{ name: 's', tasks: [{ name: 't' }] }] }],
    ['an unknown directive', { name: 'a', steps: [{ name: 's', tasks: [{ name: 't', run: 'x', imge: 'y' }] }] }],
    [
      'tasks beside an approval',
      { name: 'a', steps: [{ name: 's', tasks: [{ name: 't', run: 'x' }], approval: { approvers: ['user:a'] } }] },
    ],
    [
      'an axis that is no list',
      { name: 'a', steps: [{ name: 's', matrix: { n: 1 }, tasks: [{ name: 't', run: 'x' }] }] },
    ],
    [
      'a word that is not one of three',
      { name: 'a', steps: [{ name: 's', when: 'never', tasks: [{ name: 't', run: 'x' }] }] },
    ],
  ]
  for (const [what, document] of refused) test(`refuses ${what}`, () => assert.equal(schema.Check(document), false))
})
