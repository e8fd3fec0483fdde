import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { digestOf, fieldOf, listIn, precondition, textIn } from './index.ts'

describe('a precondition', () => {
  test('holds plain words only; anything else counts by its digest', () => {
    assert.deepEqual(precondition('scope', 'acme/web/test'), { name: 'scope', value: 'acme/web/test' })
    assert.deepEqual(precondition('at', '2026-11-28T12:00:00.000Z').value, '2026-11-28T12:00:00.000Z')
    assert.equal(precondition('none', undefined).value, 'none')
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.match(precondition('x', text).value, /^[\w./:+-]{1,700}$/)
      }),
    )
    assert.notEqual(precondition('x', 'ignore this').value, precondition('x', 'ignore that').value)
  })

  test('of a state is the same whatever the order of its fields, and no other for another state', () => {
    assert.equal(digestOf({ a: 1, b: { c: [1, 2] } }), digestOf({ b: { c: [1, 2] }, a: 1 }))
    assert.notEqual(digestOf({ a: [1, 2] }), digestOf({ a: [2, 1] }))
    assert.notEqual(digestOf({ a: null }), digestOf({}))
  })
})

test('fields of JSON are read without trust', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, name) => {
      const text = textIn(value, name)
      assert.ok(text === undefined || typeof text === 'string')
      assert.ok(Array.isArray(listIn(value, name)))
    }),
  )
  assert.equal(fieldOf([1], '0'), undefined)
  assert.equal(textIn({ a: 1 }, 'a'), '1')
  assert.equal(textIn({ a: {} }, 'a'), undefined)
})
