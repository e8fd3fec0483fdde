import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { create, toBinary } from '@bufbuild/protobuf'
import { RE2JS } from '@bufbuild/re2'
import { LogLinesSchema } from '@signalbox/contracts/runner'
import fc from 'fast-check'
import { findLines, type SearchRange, type Wanted, wantMatch, wantText } from './find-lines.ts'
import { readFold } from './folds.ts'
import { indexLines, readLine } from './line-index.ts'
import { requiredLiteral } from './required-literal.ts'
import { bitsWanted, trigramsOf } from './trigrams.ts'

const encode = (texts: readonly string[]) => {
  const lines = texts.map((text, index) => ({
    atMs: BigInt(index * 1000),
    stream: index % 2 ? 'stderr' : 'stdout',
    text,
  }))
  return Buffer.from(toBinary(LogLinesSchema, create(LogLinesSchema, { lines })))
}
const unpacked = (texts: readonly string[]) => {
  const bytes = encode(texts)
  const index = indexLines(bytes, texts.length)
  assert.ok(index)
  return { bytes, index }
}
const find = (texts: readonly string[], wanted: Wanted, range: Partial<SearchRange> = {}) => {
  const whole = { first: 0, end: texts.length, backward: false, ...range }
  return [...findLines(unpacked(texts), wanted, whole, () => 0)].flatMap(({ line, isWanted }) =>
    isWanted ? [line] : [],
  )
}

const letters = fc.constantFrom('a', 'A', 'b', 'ä', 'Ä', 'ß', 's', '.', '*', ' ', '🎈', 'stdout')
const text = fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(''))
const texts = fc.array(text, { maxLength: 12 })

describe('the lines of a row', () => {
  test('are found and read as they were written', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const { bytes, index } = unpacked(all)
        assert.deepEqual(
          all.map((_, n) => readLine(bytes, index, n)),
          all.map((own, n) => ({ atMs: n * 1000, stream: n % 2 ? 'stderr' : 'stdout', text: own, continued: false })),
        )
        assert.equal(indexLines(bytes, all.length + 1), undefined)
      }),
    )
  })

  test('never throw, whatever bytes come, and nothing is read beyond them', () => {
    const mixed = fc.oneof(fc.uint8Array({ maxLength: 60 }), texts.map(encode))
    fc.assert(
      fc.property(fc.array(mixed, { maxLength: 3 }), fc.nat(12), (parts, count) => {
        const bytes = Buffer.concat(parts)
        const index = indexLines(bytes, count)
        if (!index) return
        for (let n = 0; n < count; n++) assert.equal(typeof readLine(bytes, index, n).text, 'string')
      }),
      { numRuns: 500 },
    )
  })
})

describe('a search', () => {
  test('finds what a search of each text finds, forward and backward, in any range', () => {
    fc.assert(
      fc.property(texts, text, fc.boolean(), fc.nat(12), fc.nat(12), (all, wanted, caseSensitive, a, b) => {
        fc.pre(wanted !== '')
        const [first, end] = [Math.min(a, b, all.length), Math.min(Math.max(a, b), all.length)]
        const same = (own: string) => (caseSensitive ? own : own.toLowerCase())
        const expected = all.flatMap((own, n) => (n >= first && n < end && same(own).includes(same(wanted)) ? [n] : []))
        const search = wantText(wanted, caseSensitive)
        assert.deepEqual(find(all, search, { first, end }), expected)
        assert.deepEqual(find(all, search, { first, end, backward: true }), expected.toReversed())
      }),
      { numRuns: 500 },
    )
  })

  test('by an expression finds what the expression finds, whatever every match must hold', () => {
    const part = fc.constantFrom(
      'abc',
      'a',
      'b?',
      'c*',
      'd+',
      '(abc)',
      '(a|bcd)',
      '[abc]',
      '[^x]',
      '\\d',
      '.',
      '\\.',
      '{2}',
      'xyz',
    )
    const expression = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
    const some = fc.array(fc.constantFrom('abc', 'a', 'b', 'd', 'xyz', '1', '.', 'bcd', ''), { maxLength: 7 })
    fc.assert(
      fc.property(
        expression,
        fc.array(
          some.map((parts) => parts.join('')),
          { maxLength: 8 },
        ),
        (source, all) => {
          let compiled: RE2JS
          try {
            compiled = new RE2JS(source)
          } catch {
            return
          }
          const expected = all.flatMap((own, n) => (compiled.test(own) ? [n] : []))
          assert.deepEqual(find(all, wantMatch(compiled, requiredLiteral(source))), expected, source)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('knows what every match holds', () => {
    assert.equal(requiredLiteral('^error: .* failed$'), 'error: ')
    assert.equal(requiredLiteral('took [0-9]+ seconds?'), ' second')
    for (const none of ['a|abc', '(?i)error', '(error)?', 'ab', '[a-z]+', '\\Qa.b\\E']) {
      assert.equal(requiredLiteral(none), undefined, none)
    }
  })

  test('passes over no row that holds what it looks for', () => {
    fc.assert(
      fc.property(texts, text, fc.boolean(), (all, wanted, anyCase) => {
        const { bytes, index } = unpacked(all)
        const trigrams = trigramsOf(bytes, index.texts)
        const same = (own: string) => (anyCase ? own.toLowerCase() : own)
        if (!all.some((own) => same(own).includes(same(wanted)))) return
        for (const bit of bitsWanted(Buffer.from(wanted), anyCase)) {
          assert.ok(((trigrams[bit >> 3] ?? 0) >> (bit & 7)) & 1)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('passes over rows that cannot hold it', () => {
    const { bytes, index } = unpacked(['compiled module 17', 'linked all'])
    const trigrams = trigramsOf(bytes, index.texts)
    const bits = bitsWanted(Buffer.from('segmentation fault'), true)
    assert.ok(bits.length > 3 && bits.length <= 12)
    assert.ok(bits.some((bit) => (((trigrams[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 0))
  })
})

describe('folds', () => {
  test('are those of GitHub, Azure and GitLab, with a title without colours', () => {
    const folds: readonly [string, unknown][] = [
      ['::group::Install \u001b[32mpackages\u001b[0m', { kind: 'start', title: 'Install packages' }],
      ['::endgroup::', { kind: 'end', title: '' }],
      ['##[group]Build', { kind: 'start', title: 'Build' }],
      ['##[endgroup]', { kind: 'end', title: '' }],
      ['\u001b[0Ksection_start:1560896352:my_section\r\u001b[0KHeader', { kind: 'start', title: 'Header' }],
      ['section_start:1:deps[collapsed=true]\r\u001b[0K', { kind: 'start', title: 'deps' }],
      ['section_end:1560896353:my_section\r\u001b[0K', { kind: 'end', title: 'my_section' }],
    ]
    for (const [line, fold] of folds) assert.deepEqual(readFold(line), fold, line)
    for (const line of ['', 'group', ' ::group::x', '::notice::x', ':: group', 'section_start', 'some ::group::']) {
      assert.equal(readFold(line), undefined, line)
    }
  })

  test('are read from any text without an error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (own) => assert.doesNotThrow(() => readFold(own))))
  })
})
