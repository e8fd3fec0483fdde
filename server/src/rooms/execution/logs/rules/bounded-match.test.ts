import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RE2JS } from '@bufbuild/re2'
import fc from 'fast-check'
import { matchBounded } from './bounded-match.ts'

const never = (): boolean => false

describe('an expression that looks at a text for so long', () => {
  test('finds what it finds without that', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      'é',
      '😀',
      '.',
      'a*',
      '(ab|é)',
      '[^a]',
      '\\b',
      '^',
      '$',
      '.{2,5}',
      '\\d+',
      '\\w',
    )
    const text = fc.array(fc.constantFrom('a', 'b', 'é', '😀', '\ud83d', ' ', '7', '_', '\n'), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (pieces, characters) => {
        const expression = new RE2JS(pieces.join(''))
        assert.equal(matchBounded(expression, characters.join(''), never), expression.test(characters.join('')))
      }),
      { numRuns: 2000 },
    )
  })

  test('gives up soon after its time, however large it is', () => {
    const text = Array.from({ length: 65_536 }, (_, at) => ((at * at) % 7 < 3 ? 'a' : 'b')).join('')
    let looks = 0
    const expression = new RE2JS('a.{999}[^ab]')
    assert.equal(
      matchBounded(expression, text, () => ++looks === 100),
      undefined,
    )
    assert.equal(looks, 100)
    assert.equal(matchBounded(new RE2JS('b.a'), text, never), true)
  })
})
