import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseJsonStrictly } from './strict-json.ts'

const parse = (text: string) => parseJsonStrictly(Buffer.from(text))

describe('the JSON of a request', () => {
  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (document, indent) => {
        const text = JSON.stringify(document, null, indent)
        fc.pre(!/\\u(0000|d[89a-f])/i.test(text))
        assert.deepEqual(parse(text), JSON.parse(text))
      }),
    )
  })

  test('may not hold a name twice in one object, and the first such name is told', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '[{"b":{"a":1,"\\u0061":2}}]',
      '{"__proto__":1,"a":[],"a":{},"__proto__":2}',
    ]) {
      assert.throws(() => parse(text), /the field "a" twice in one object/)
    }
    assert.throws(() => parse('{"__proto__":1,"__proto__":2}'), /"__proto__" twice/)
    assert.deepEqual(parse('[{"a":1},{"a":2,"b":{"a":","}}]'), [{ a: 1 }, { a: 2, b: { a: ',' } }])
  })

  test('may not hold NUL or half of a surrogate pair, in a value or a name', () => {
    for (const text of ['{"a":"\\u0000"}', '{"\\u0000":1}', '[[{"a":["x\\u0000"]}]]'])
      assert.throws(() => parse(text), /U\+0000/)
    for (const text of ['"\\ud83d"', '{"\\uDE00":1}']) assert.throws(() => parse(text), /surrogate pair/)
    assert.equal(parse('"\\ud83d\\ude00"'), '\u{1F600}')
    assert.equal(parse('"a backslash, then: \\\\u0000"'), 'a backslash, then: \\u0000')
  })

  test('may be 64 levels deep, and not 20,000', () => {
    assert.ok(parse(`${'['.repeat(64)}${']'.repeat(64)}`))
    assert.throws(() => parse(`${'['.repeat(65)}${']'.repeat(65)}`), /deeper than 64 levels/)
    assert.throws(() => parse('{"a":'.repeat(20_000)), /deeper than 64 levels/)
  })

  test('is UTF-8 and whole', () => {
    assert.throws(() => parseJsonStrictly(Buffer.from([0x22, 0xff, 0x22])), /not valid UTF-8/)
    for (const text of ['{"a"', '"open', '{} x']) assert.throws(() => parse(text), /not valid JSON/)
    assert.throws(() => parse(''), /is empty/)
  })
})
