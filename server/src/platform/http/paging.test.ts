import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkIfMatch, etagOf } from './etag.ts'
import { linkNext, readCursor, toPage } from './paging.ts'

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `row-${at}` }))

describe('a page', () => {
  test('is followed by another one where a row is left, and by none where the last one is shown', () => {
    assert.deepEqual(toPage(rows(3), 2), { items: rows(2), next: 'row-1' })
    assert.deepEqual(toPage(rows(2), 2), { items: rows(2), next: undefined })
    assert.deepEqual(toPage([], 2), { items: [], next: undefined })
  })

  test('names the next one with the query that was asked', () => {
    assert.deepEqual(linkNext('/v1/runs?limit=2&cursor=x', toPage(rows(3), 2)), {
      link: '</v1/runs?limit=2&cursor=row-1>; rel="next"',
    })
    assert.deepEqual(linkNext('/v1/runs', toPage(rows(2), 2)), {})
  })

  test('begins behind an id', () => {
    assert.equal(readCursor(undefined), undefined)
    assert.throws(() => readCursor('row-1'), { code: 'invalid_request' })
  })
})

describe('a write of what was read', () => {
  test('is refused where it has changed since', () => {
    const at = new Date(1000)
    assert.equal(etagOf(at), '"1000"')
    for (const ifMatch of [undefined, '*', '"1000"', '"1", "1000"', ['"1"', '"1000"']])
      checkIfMatch(ifMatch, etagOf(at))
    for (const ifMatch of ['"1001"', '1000', '']) {
      assert.throws(() => checkIfMatch(ifMatch, etagOf(at)), { code: 'version_conflict' })
    }
  })
})
