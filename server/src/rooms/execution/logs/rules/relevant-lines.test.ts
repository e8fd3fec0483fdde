import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { chooseLines, type JudgedLine, MOST_LINES } from './relevant-lines.ts'

const aLine = fc.record({ isNew: fc.boolean(), isError: fc.boolean() })
const aLog = fc
  .tuple(fc.array(aLine, { maxLength: 200 }), fc.nat(1000))
  .map(([lines, first]) => lines.map((line, at): JudgedLine => ({ number: first + at, text: `${at}`, ...line })))
const log = (count: number, change: (at: number) => Partial<JudgedLine> = () => ({})): JudgedLine[] =>
  Array.from({ length: count }, (_, at) => ({ number: at, text: `${at}`, isNew: false, isError: false, ...change(at) }))
const numbers = (lines: readonly JudgedLine[]): readonly number[] => lines.map(({ number }) => number)

const SUCCESS = { hasSuccess: true, wasEnded: false }
const NONE = { hasSuccess: false, wasEnded: false }

describe('the chosen lines of any log', () => {
  test('are in their order, each once, and at most 50', () => {
    fc.assert(
      fc.property(aLog, fc.boolean(), fc.boolean(), (judged, hasSuccess, wasEnded) => {
        const { lines } = chooseLines(judged, { hasSuccess, wasEnded })
        assert.ok(lines.length <= MOST_LINES)
        for (const [at, { number }] of lines.entries()) assert.ok(at === 0 || number > (lines[at - 1]?.number ?? 0))
      }),
    )
  })

  test('hold every line of their kind, or say how many they leave', () => {
    fc.assert(
      fc.property(aLog, fc.boolean(), fc.boolean(), (judged, hasSuccess, wasEnded) => {
        const { how, lines, left } = chooseLines(judged, { hasSuccess, wasEnded })
        const isOfKind = (line: JudgedLine): boolean =>
          how === 'new_lines' ? line.isNew : how === 'error_lines' ? line.isError : true
        assert.equal(lines.filter(isOfKind).length + left, judged.filter(isOfKind).length)
        if (how === 'new_lines') assert.ok(hasSuccess && lines.some(({ isNew }) => isNew))
        if (judged.length > 0) assert.ok(lines.length > 0)
        if (left > 0) assert.equal(lines.length, MOST_LINES)
      }),
    )
  })

  test('hold the first error of their kind with two lines on each side', () => {
    fc.assert(
      fc.property(aLog, fc.boolean(), fc.boolean(), (judged, hasSuccess, wasEnded) => {
        const { how, lines } = chooseLines(judged, { hasSuccess, wasEnded })
        if (how !== 'new_lines' && how !== 'error_lines') return
        const isFirst = (line: JudgedLine): boolean => line.isError && (how === 'error_lines' || line.isNew)
        const at = judged.findIndex(isFirst)
        if (at < 0) return
        for (const line of judged.slice(Math.max(0, at - 2), at + 3)) assert.ok(lines.includes(line))
      }),
    )
  })
})

test('new lines go before errors, errors before the tail', () => {
  const mixed = log(100, (at) => ({ isError: at === 10, isNew: at === 20 }))
  assert.deepEqual(numbers(chooseLines(mixed, SUCCESS).lines), [18, 19, 20, 21, 22])
  assert.deepEqual(numbers(chooseLines(mixed, NONE).lines), [8, 9, 10, 11, 12])
  assert.equal(chooseLines(mixed, NONE).how, 'error_lines')
  assert.equal(
    chooseLines(
      log(100, (at) => ({ isError: at === 10 })),
      SUCCESS,
    ).how,
    'error_lines',
  )
  const tail = chooseLines(log(100), SUCCESS)
  assert.deepEqual([tail.how, numbers(tail.lines)[0], tail.left], ['tail', 50, 50])
  assert.deepEqual(chooseLines([], SUCCESS), { how: 'none', lines: [], left: 0 })
})

test('of a task that was ended the last lines are shown, too', () => {
  const mixed = log(100, (at) => ({ isNew: at === 20 }))
  const ended = chooseLines(mixed, { hasSuccess: true, wasEnded: true })
  assert.deepEqual(numbers(ended.lines), [18, 19, 20, 21, 22, 95, 96, 97, 98, 99])
})

test('of too many new lines those that look like errors and the last ones are kept', () => {
  const many = log(500, (at) => ({ isNew: true, isError: at >= 100 && at < 110 }))
  const { lines, left } = chooseLines(many, SUCCESS)
  const shown = numbers(lines)
  assert.equal(left, 450)
  for (const number of [98, 99, 100, 109, 490, 499]) assert.ok(shown.includes(number), `${number}`)
})
