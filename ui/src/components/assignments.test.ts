import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAssignments, writeAssignments } from './assignments.ts'

test('each line is a name and its value, which may hold further signs', () => {
  expect(readAssignments(' A =1=2\n\nB=\n  \nC\nD= kept ')).toEqual({ A: '1=2', B: '', C: '', D: ' kept ' })
})

test('a value in quotes may hold line ends; one that only begins with a quote is as it stands', () => {
  expect(readAssignments('KEY="one\\ntwo"\nWORD="half\nPAIR="a" and "b"')).toEqual({
    KEY: 'one\ntwo',
    WORD: '"half',
    PAIR: '"a" and "b"',
  })
  expect(writeAssignments({ KEY: 'one\ntwo', PATH: '/bin', EDGE: ' x' })).toBe('KEY="one\\ntwo"\nPATH=/bin\nEDGE=" x"')
})

test('what was written reads back as it was, whatever the values hold', () => {
  const name = fc.stringMatching(/^[A-Za-z_]\w{0,9}$/)
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\r', ' ', '\t', '=', 'a', '\u2028', '\ud800') }),
  )
  fc.assert(
    fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (values) => {
      const text = writeAssignments(values)
      expect(readAssignments(text)).toEqual(values)
      // A text area makes each end of a line the same.
      expect(readAssignments(text.replaceAll(/\r\n?/g, '\n'))).toEqual(values)
    }),
  )
})
