import { expect, test } from 'vitest'
import { changesBetween } from './changes-between.ts'

test('what changed meanwhile is told field by field, and the time of the change is not', () => {
  const before = { name: 'web', scopes: ['acme/test'], labels: [], note: null, updated_at: '1' }
  const after = { name: 'web', scopes: ['acme/test', 'acme/live'], labels: [], enabled: false, updated_at: '2' }
  expect(changesBetween(before, after)).toEqual([
    { field: 'scopes', before: '["acme/test"]', after: '["acme/test","acme/live"]' },
    { field: 'enabled', before: 'nothing', after: 'false' },
  ])
  expect(changesBetween(before, before)).toEqual([])
})
