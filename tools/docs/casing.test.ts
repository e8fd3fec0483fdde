import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** Names that the contract of the service spells otherwise. */
const SPELT_BY_THE_CONTRACT: ReadonlySet<string> = new Set([
  'sourceID',
  'deliveryID',
  'installationID',
  'repoOwner',
  'repoName',
  'teamId',
  'runId',
])

const path = join(import.meta.dirname, '../../docs/api/openapi.json')

test('fields and parameters of the API are in snake_case', () => {
  const found = new Set<string>()
  JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if (key === 'properties') for (const name of Object.keys(value)) found.add(name)
    if ('in' in value && 'name' in value && value.in !== 'header') found.add(String(value.name))
    return value
  })
  assert.ok(found.size > 100)
  const others = [...found].filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))
  assert.deepEqual(others.toSorted(), [...SPELT_BY_THE_CONTRACT].toSorted())
})
