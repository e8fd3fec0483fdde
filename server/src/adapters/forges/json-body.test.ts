import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countMembers, scanJson } from '#platform/json'
import { readJsonBody } from './json-body.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }

function read(body: string | Buffer, headers: Record<string, string> = JSON_HEADERS) {
  return readJsonBody(headers, typeof body === 'string' ? Buffer.from(body) : body)
}

function reasonOf(body: string | Buffer, headers?: Record<string, string>): string {
  const found = read(body, headers)
  assert.equal(found.ok, false)
  return found.ok ? '' : found.reason
}

describe('a JSON body', () => {
  test('is read with any spelling of its content type and of utf-8', () => {
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf8"']) {
      assert.equal(read('{}', { 'content-type': type }).ok, true, type)
    }
  })

  test('of another type, charset or encoding is refused with a sentence', () => {
    assert.match(reasonOf('{}', {}), /no Content-Type/)
    assert.match(reasonOf('{}', { 'content-type': 'text/plain' }), /must be application\/json/)
    assert.match(reasonOf('a=1', { 'content-type': 'application/x-www-form-urlencoded' }), /form-encoded/)
    assert.match(reasonOf('{}', { 'content-type': 'application/json; charset=utf-16' }), /charset/)
    assert.match(reasonOf('{}', { ...JSON_HEADERS, 'content-encoding': 'gzip' }), /Content-Encoding/)
  })

  test('that is empty, cut off, no JSON, no object or no UTF-8 is refused, and never quoted', () => {
    assert.match(reasonOf(''), /empty/)
    assert.match(reasonOf('{"secret":"hunter2"'), /not valid JSON/)
    assert.doesNotMatch(reasonOf('{"secret": hunter2}'), /hunter2/)
    assert.match(reasonOf('\uFEFF{}'), /not valid JSON/)
    for (const body of ['[]', 'null', '"text"', '1']) assert.match(reasonOf(body), /not an object/)
    assert.match(reasonOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), /not valid UTF-8/)
  })

  test('nested 20,000 deep is refused', () => {
    assert.match(reasonOf(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`), /64 levels/)
    assert.match(reasonOf('{"a":'.repeat(20_000)), /64 levels/)
    assert.equal(read(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`).ok, true)
  })

  test('of more keys or values than any real one is refused without being parsed', () => {
    const keys = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`
    assert.equal(read(keys(250_000)).ok, true)
    assert.match(reasonOf(keys(250_001)), /more than 250000 keys/)
    const values = (count: number): string => `{"a":[${'1,'.repeat(count)}1]}`
    assert.equal(read(values(900_000)).ok, true)
    assert.match(reasonOf(values(1_000_000)), /1000000 values/)
    assert.match(reasonOf(`{"a":[${'{},'.repeat(1_000_000)}{}]}`), /1000000 values/)
    assert.match(reasonOf(`{"a":[${'{},'.repeat(1_000_000)}`), /1000000 values/)
  })

  test('with a key twice in one object is refused, at any depth and however it is written', () => {
    for (const body of ['{"a":1,"a":2}', '{"x":[{"y":{"a":1,"b":2,"a":3}}]}', '{"a":1,"\\u0061":2}']) {
      assert.match(reasonOf(body), /same key twice/)
    }
    assert.equal(read('{"a":{"a":":"},"b":["a","a"],"c":"\\":\\\\"}').ok, true)
  })

  test('with a key twice and equal values is read, with a note', () => {
    for (const body of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":1.0}',
      '{"x":[{"y":{"a":{"p":1,"q":[2]},"b":2, "a" : { "q":[2], "p":1 } }}]}',
      '{"a":"\\"}","b":{},"c":[],"a":"\\"}","a":"\\"}"}',
      '{"__proto__":{"a":null},"__proto__":{"a":null}}',
      '{"id":12345678901234567890,"id":12345678901234567890}',
    ]) {
      const found = read(body)
      assert.ok(found.ok, body)
      assert.match(found.note ?? '', /holds a key twice with one value/)
    }
    assert.equal(Object.hasOwn(read('{"a":1}'), 'note'), false)
  })

  test('with long numbers that differ in their last digit, or a difference inside of what is repeated, is refused', () => {
    for (const body of [
      '{"id":12345678901234567890,"id":12345678901234567891}',
      '{"a":{"b":1},"a":{"b":2,"b":1}}',
      '{"a":{"b":2,"b":1},"a":{"b":1}}',
      '{"a":[1,{"b":1}],"a":[1,{"b":1,"c":null}]}',
      '{"a":null,"a":0}',
      '{"a":"1","a":1}',
    ]) {
      assert.match(reasonOf(body), /same key twice, with two values/)
    }
  })

  test('that repeats more than can be compared at small cost is refused', () => {
    const long = JSON.stringify('x'.repeat(400_000))
    assert.equal(read(`{"a":${long},"a":${long}}`).ok, true)
    assert.match(reasonOf(`{"a":${long},"a":${long},"a":${long}}`), /same key twice/)
  })

  test('holds a key twice with one value wherever a member is written twice, and is read as without', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
    fc.assert(
      fc.property(value, fc.nat(), fc.constantFrom('', ' ', '\n'), (document, chosen, blank) => {
        const members = Object.keys(document).map((key) =>
          [JSON.stringify(key), JSON.stringify(document[key])].join(`${blank}:${blank}`),
        )
        const repeated = members[chosen % members.length] ?? ''
        const found = read(`{${blank}${[...members, repeated].join(`${blank},${blank}`)}${blank}}`)
        assert.ok(found.ok && found.note !== undefined)
        const plain = read(JSON.stringify(document))
        assert.deepEqual(found.payload, plain.ok && plain.payload)
      }),
    )
  })

  test('a key named __proto__ is an ordinary key', () => {
    const found = read('{"__proto__":{"polluted":true},"a":{"__proto__":1}}')
    assert.ok(found.ok)
    assert.equal(Object.getPrototypeOf(found.payload), Object.prototype)
    assert.equal('polluted' in {}, false)
    assert.equal(found.payload['polluted'], undefined)
  })

  test('integers beyond 2^53 keep their digits; other numbers stay numbers', () => {
    const found = read(
      '{"id":12345678901234567890,"small":9007199254740991,"part":0.12345678901234567890,"neg":-9007199254740993}',
    )
    assert.ok(found.ok)
    assert.equal(found.payload['id'], '12345678901234567890')
    assert.equal(found.payload['small'], 9_007_199_254_740_991)
    assert.equal(typeof found.payload['part'], 'number')
    assert.equal(found.payload['neg'], '-9007199254740993')
  })

  test('every document without long numbers is read as JSON.parse reads it', () => {
    const value = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ noUnicodeString: false }))
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (document, indent) => {
        const text = JSON.stringify(document, null, indent)
        const scan = scanJson(text, { depth: 64, members: 1e6, values: 1e6 })
        assert.equal(scan.members, countMembers(JSON.parse(text)))
        if (scan.longNumbers) return
        const found = read(text)
        assert.ok(found.ok)
        assert.deepEqual(found.payload, JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })
})
