import { describe, expect, test } from 'vitest'
import { LineCache, PAGE_LINES } from './line-cache.ts'
import { readRange, writeRange } from './log-entry.ts'
import { hide, Rows, type Section } from './rows.ts'

const section = (key: string, total: number, more: Partial<Section> = {}): Section => ({
  key,
  total,
  isOpen: true,
  hidden: [],
  ...more,
})

describe('rows', () => {
  test('show a head and the lines of each open section', () => {
    const rows = new Rows([section('a', 2), section('b', 5, { isOpen: false }), section('c', 1)])
    expect(Array.from({ length: rows.count }, (_, row) => rows.at(row))).toEqual([
      { kind: 'head', section: 'a' },
      { kind: 'line', section: 'a', number: 0 },
      { kind: 'line', section: 'a', number: 1 },
      { kind: 'head', section: 'b' },
      { kind: 'head', section: 'c' },
      { kind: 'line', section: 'c', number: 0 },
    ])
    expect([rows.of('c', 0), rows.of('b', 0), rows.of('c', 1), rows.headOf('c')]).toEqual([5, undefined, undefined, 4])
    expect([rows.at(-1), rows.at(6)]).toEqual([undefined, undefined])
  })

  test('of any log lead to their lines and back, past what is hidden', () => {
    for (let seed = 1; seed < 60; seed++) {
      let hidden: Section['hidden'] = []
      for (let part = 0; part < seed % 7; part++) {
        const from = (seed * 31 + part * 97) % 400
        hidden = hide(hidden, { from, to: from + ((seed * part) % 50) })
      }
      const rows = new Rows([section('x', 3), section('y', 500, { hidden })])
      const shown = Array.from({ length: rows.count }, (_, row) => rows.at(row)).flatMap((row) =>
        row?.kind === 'line' && row.section === 'y' ? [row.number] : [],
      )
      const expected = Array.from({ length: 500 }, (_, at) => at).filter(
        (number) => !hidden.some(({ from, to }) => number >= from && number <= to),
      )
      expect(shown).toEqual(expected)
      const back = shown.map((number) => rows.at(rows.of('y', number) ?? -1))
      expect(back).toEqual(shown.map((number) => ({ kind: 'line', section: 'y', number })))
    }
  })

  test('of a hundred million lines cost nothing', () => {
    const rows = new Rows([section('a', 100_000_000, { hidden: [{ from: 10, to: 99 }] })])
    expect(rows.at(99_999_910)).toEqual({ kind: 'line', section: 'a', number: 99_999_999 })
  })

  test('hidden parts are joined', () => {
    expect(hide(hide([], { from: 5, to: 9 }), { from: 10, to: 12 })).toEqual([{ from: 5, to: 12 }])
    expect(hide([{ from: 5, to: 9 }], { from: 1, to: 20 })).toEqual([{ from: 1, to: 20 }])
    expect(hide([], { from: 3, to: 2 })).toEqual([])
  })
})

test('at most 30,000 lines are kept, those that were looked at last', () => {
  const cache = new LineCache()
  const entry = (number: number) => ({ line: '', number, step: 's', task: 't', attempt: 1, stream: 'stdout', at: '' })
  for (let number = 0; number < 120_000; number++) {
    cache.put('s', entry(number))
    if (number % PAGE_LINES === 0) cache.get('s', 0)
  }
  expect(cache.size).toBeLessThanOrEqual(30_000)
  expect(cache.get('s', 0)).toBeDefined()
  expect(cache.get('s', PAGE_LINES)).toBeUndefined()
  expect(cache.get('s', 119_999)).toBeDefined()
})

test('a range of lines stands in the address', () => {
  for (const range of [
    { section: 'build/unit/1', first: 3, last: 9 },
    { section: 'a/b:c/2', first: 0, last: 0 },
  ]) {
    expect(readRange(writeRange(range))).toEqual(range)
  }
  expect(readRange('a/b/1:9-3')).toEqual({ section: 'a/b/1', first: 3, last: 9 })
  for (const text of [undefined, 7, '', 'a/b/1', 'a/b/1:x', 'a/b/1:1-']) expect(readRange(text)).toBeUndefined()
})
