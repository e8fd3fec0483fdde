import { expect, test } from 'vitest'
import { joinProblems, rangeInLine } from './problem-range.ts'

test.each([
  ['name: web', 1, 'name:'],
  ['  - depends_on: [bild, x]', 18, 'bild'],
  ['    name: "a b" ', 11, '"a b"'],
  ['name: web', 10, 'b'],
  ['name: web', 99, 'b'],
  ['a: { }', 5, ' '],
  ['', 1, ''],
])('in %j column %i marks %j', (line, column, marked) => {
  const { from, to } = rangeInLine(line, column)
  expect(line.slice(from, to)).toBe(marked)
})

test('a problem that the control plane finds too is told once, and all stand in the order of the text', () => {
  const one = { code: 'a', line: 3, column: 1, message: 'm' }
  const other = { code: 'unknown_secret', line: 2, column: 5, message: 'n' }
  expect(joinProblems([one], [{ ...one }, other])).toEqual([other, one])
})
