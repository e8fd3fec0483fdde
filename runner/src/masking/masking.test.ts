import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { MaskedValues, Masker } from './masker.ts'

const maskInPieces = (values: readonly string[], text: Buffer, cuts: readonly number[]): string => {
  const masker = new Masker(new MaskedValues(values))
  const borders = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  const parts = borders.slice(1).map((end, index) => masker.push(text.subarray(borders[index], end)))
  return Buffer.concat([...parts, masker.end()]).toString()
}

// No asterisk: a value of stars would be found in the stars that hide another one.
const secret = fc
  .string({ minLength: 4, maxLength: 90, unit: 'grapheme' })
  .map((value) => value.replaceAll('*', 'x').replaceAll('\0', 'x'))
  .filter((value) => value.trim().length >= 4 && value.isWellFormed())
// Few letters make overlapping, nested and self-overlapping values likely.
const smallSecret = fc.string({ minLength: 3, maxLength: 6, unit: fc.constantFrom('a', 'b') })
const cuts = fc.array(fc.nat(), { maxLength: 8 })

describe('masking', () => {
  test('no occurrence of a value survives, however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        fc.array(fc.string()),
        cuts,
        (values, noise, at) => {
          const text = [...noise, ...values, ...noise, ...values.toReversed()].join(' ')
          const masked = maskInPieces(values, Buffer.from(text), at)
          for (const value of values) assert.ok(!masked.includes(value.trim()), masked)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('overlapping and nested values hide exactly the bytes they cover', () => {
    fc.assert(
      fc.property(
        fc.array(smallSecret, { minLength: 1, maxLength: 4 }),
        fc.string({ maxLength: 60, unit: fc.constantFrom('a', 'b', 'c') }),
        cuts,
        (values, text, at) => {
          const covered = Array.from(text, () => false)
          // Whether the border before a letter lies inside an occurrence.
          const joined = Array.from(text, () => false)
          for (const pattern of values) {
            for (let from = text.indexOf(pattern); from >= 0; from = text.indexOf(pattern, from + 1)) {
              covered.fill(true, from, from + pattern.length)
              joined.fill(true, from + 1, from + pattern.length)
            }
          }
          const expected = Array.from(text, (letter, index) =>
            !covered[index] ? letter : joined[index] ? '' : '***',
          ).join('')
          assert.equal(maskInPieces(values, Buffer.from(text), at), expected)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('base64 at the three offsets, percent-encoded, JSON-escaped and hexadecimal values are masked too', () => {
    const encodings: readonly ((value: string, before: string, after: string) => string)[] = [
      (value, before, after) => Buffer.from(before + value + after).toString('base64'),
      (value, before, after) => Buffer.from(before + value + after).toString('base64url'),
      (value) => encodeURIComponent(value),
      (value) => new URLSearchParams({ q: value }).toString(),
      (value, before, after) => JSON.stringify({ [before]: value, after }),
      (value, before, after) => Buffer.from(before + value + after).toString('hex'),
      (value, before, after) =>
        Buffer.from(before + value + after)
          .toString('hex')
          .toUpperCase(),
    ]
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...encodings),
        fc.constantFrom('', 'a', 'ab', 'user:', 'xyz12'),
        fc.constantFrom('', '\n', '@host', 'zz'),
        cuts,
        (values, encode, before, after, at) => {
          for (const value of values.map((each) => each.trim())) {
            const masked = maskInPieces(values, Buffer.from(encode(value, before, after)), at)
            assert.ok(masked.includes('***'), `${encode(value, before, after)} -> ${masked}`)
            for (const form of [encodeURIComponent(value), Buffer.from(value).toString('hex')]) {
              assert.ok(form.length < 6 || !masked.includes(form), `${form} in ${masked}`)
            }
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('what base64 shows beside the stars gives away less than one byte at either end', () => {
    const value = 'correct-horse-battery'
    for (const before of ['', '1', '12']) {
      const encoded = Buffer.from(`${before}${value}zzz`).toString('base64')
      const [head = '', tail = ''] = maskInPieces([value], Buffer.from(encoded), []).split('***')
      assert.ok(head.length <= 3, head)
      assert.ok(!Buffer.from(head, 'base64').toString().includes('co'))
      assert.ok(!Buffer.from(`A${tail}`, 'base64').toString().includes('ry'))
    }
  })

  test('a multi-line value is masked line by line, and as base64 broken anywhere', () => {
    const key = `-----BEGIN KEY-----\n${'MIIEowIBAAKCAQEA'.repeat(6)}\nabcd/efgh+ijkl\n-----END KEY-----\n`
    const values = [key]
    assert.equal(maskInPieces(values, Buffer.from('x abcd/efgh+ijkl\r\n y'), [4, 7]), 'x ***\r\n y')
    assert.equal(maskInPieces(values, Buffer.from(key), [9, 30]), '***\n')
    assert.equal(maskInPieces(values, Buffer.from(key.replaceAll('\n', '\r\n')), []), '***\r\n***\r\n***\r\n***\r\n')
    const wrapped = Buffer.from(key).toString('base64').replace(/.{76}/g, '$&\n')
    assert.match(maskInPieces(values, Buffer.from(wrapped), []), /^\*\*\*.{0,4}$/)
  })

  test('a value of two characters is left alone, one of three is masked whole only', () => {
    assert.equal(new MaskedValues(['on', ' ', '']).mask('on and on'), 'on and on')
    assert.equal(new MaskedValues(['abc']).mask('abc YWJj'), '*** YWJj')
  })

  test('a value that appears later masks what was not yet released', () => {
    const values = new MaskedValues(['first-secret'])
    const masker = new Masker(values)
    assert.equal(masker.push(Buffer.from('to first-se')).toString(), 'to ')
    values.add(['st-second'])
    assert.equal(masker.push(Buffer.from('cond b first-secret')).toString(), 'fir*** b ***')
  })

  test('text that never matches is released at once but for a possible beginning', () => {
    const masker = new Masker(new MaskedValues(['token-1234']))
    assert.equal(masker.push(Buffer.from('hello\n')).toString(), 'hello\n')
    assert.equal(masker.push(Buffer.from('tok')).toString(), '')
    assert.equal(masker.push(Buffer.from('yo\n')).toString(), 'tokyo\n')
  })

  test('bytes that are not UTF-8 pass unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), cuts, (bytes, at) => {
        const masker = new Masker(new MaskedValues(['never-in-there-0123456789']))
        const text = Buffer.from(bytes)
        const cut = (at[0] ?? 0) % (text.length + 1)
        const parts = [masker.push(text.subarray(0, cut)), masker.push(text.subarray(cut)), masker.end()]
        assert.deepEqual(Buffer.concat(parts), text)
      }),
    )
  })
})
