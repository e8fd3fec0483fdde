import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pipelineJsonSchema } from '../../pipeline/src/document/index.ts'
import { fillTables, tablesOf, tablesOfNames } from './language.ts'

const tables = tablesOf(pipelineJsonSchema())
const all = new Map([...tables, ...tablesOfNames()])

test('every directive stands in one table, with what it means', () => {
  assert.deepEqual([...tables.keys()].toSorted(), [
    'approval',
    'artifacts',
    'cache',
    'checkout',
    'concurrency',
    'field',
    'final output',
    'matrix',
    'pipeline',
    'resources',
    'retry',
    'service',
    'step',
    'task',
    'ulimits',
  ])
  const rows = [...tables.values()].flatMap((table) => table.trimEnd().split('\n').slice(2))
  assert.ok(rows.length > 60)
  for (const row of rows) assert.match(row, /^\| .+ \| .+ \| .+ \|$/, row)
})

test('a page that lacks a table, or asks for one that is not there, is refused', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/pipelines/language.md'), 'utf8')
  assert.equal(fillTables(page, all), page)
  assert.throws(() => fillTables(page, new Map([...all, ['more', '']])), /has no table of more/)
  assert.throws(() => fillTables(page, new Map()), /asks for the directives of pipeline/)
})
