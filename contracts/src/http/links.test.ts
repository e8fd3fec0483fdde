import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextLink } from './links.ts'

test('the next page is found among other links', () => {
  assert.equal(nextLink('</v1/runs?cursor=a>; rel="next"'), '/v1/runs?cursor=a')
  assert.equal(nextLink('</first>; rel="first", </second>; title="x"; rel=next'), '/second')
  assert.equal(nextLink('</first>; rel="first"'), undefined)
  assert.equal(nextLink('nonsense'), undefined)
  assert.equal(nextLink(null), undefined)
})
