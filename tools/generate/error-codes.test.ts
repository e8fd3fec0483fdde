import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderErrorCodes } from './error-codes.ts'

test('each owner has a table of its codes, in the order in which it declares them', () => {
  const page = renderErrorCodes([
    { owner: 'Every route', table: { not_found: { status: 404, title: 'Not found' } } },
    { owner: 'causes/sources', table: { 'source.name_taken': { status: 409, title: 'A source of this name exists' } } },
  ])
  assert.match(
    page,
    /## Every route\n\n\| Code \| Status \| Title \|\n\|---\|---\|---\|\n\| `not_found` \| 404 \| Not found \|\n/,
  )
  assert.ok(page.indexOf('`source.name_taken` | 409') > page.indexOf('## causes/sources'))
})
