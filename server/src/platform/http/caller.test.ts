import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prefixesWithin } from './caller.ts'

describe('what a caller sees of a team', () => {
  test('is all of it, the parts below it that are granted, or nothing', () => {
    assert.deepEqual(prefixesWithin(['/'], 'acme'), ['acme'])
    assert.deepEqual(prefixesWithin(['acme'], 'acme/web'), ['acme/web'])
    assert.deepEqual(prefixesWithin(['acme/web', 'acme/api', 'other'], 'acme'), ['acme/web', 'acme/api'])
    assert.deepEqual(prefixesWithin(['acme/web'], 'acme/webshop'), [])
  })
})
