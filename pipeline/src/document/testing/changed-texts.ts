import fc from 'fast-check'
import { common, strange } from './yaml-words.ts'

const piece = fc.oneof(
  fc.constantFrom(...common, ...strange),
  fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ': ',
    '- ',
    '-',
    '\n',
    '\n',
    '\n  ',
    '? ',
    '"',
    "'",
    '|\n',
    '>\n',
    ',',
    ', ',
    '#',
    ' #',
  ),
  fc.constantFrom(
    ' ',
    '  ',
    '    ',
    '\t',
    '\r\n',
    '\r',
    '---\n',
    '...\n',
    '%',
    '&a ',
    '!a ',
    '*a',
    '\\',
    '\0',
    '\ud800',
    '\ufeff',
  ),
)

/** Pieces of these texts, with a few changes. */
export function changed(texts: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(400),
    remove: fc.oneof(fc.constant(0), fc.nat(6)),
    put: fc.oneof(piece, fc.constant('')),
  })
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 10, max: 400 }), fc.array(change, { maxLength: 3 }))
    .map(([whole, from, length, changes]) => {
      const start = from % 2 === 0 ? 0 : whole.indexOf('\n', from % whole.length) + 1
      return changes.reduce(
        (part, { at, remove, put }) => {
          const place = at % (part.length + 1)
          return part.slice(0, place) + put + part.slice(place + remove)
        },
        whole.slice(start, start + length),
      )
    })
}

/** Pieces of YAML in any order. */
export const soup: fc.Arbitrary<string> = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))
