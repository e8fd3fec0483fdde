import { describe, expect, test } from 'vitest'
import { drawnRows, indexOfRow, offsetsOf, RowHeights, rowsAround, rowsInSight } from './row-window.ts'

const even = offsetsOf(Array.from({ length: 200 }, () => 10))

describe('the rows around what is in sight', () => {
  test('have a margin on both sides, in blocks', () => {
    expect(rowsAround(even, 1000, 1199)).toEqual({ from: 92, to: 128 })
    expect(rowsAround(even, 1009, 1199)).toEqual({ from: 92, to: 128 })
    expect(rowsAround(even, 1039, 1199)).toEqual({ from: 92, to: 128 })
    expect(rowsAround(even, 1040, 1199)).toEqual({ from: 96, to: 128 })
  })

  test('reach beyond the end, where the next page will be, and are some also where nothing of it is in sight', () => {
    expect(rowsAround(even, -500, -100)).toEqual({ from: 0, to: 12 })
    expect(rowsAround(even, 1950, 2500)).toEqual({ from: 184, to: 208 })
    expect(rowsAround(even, 9000, 9500)).toEqual({ from: 188, to: 208 })
    expect(rowsAround(offsetsOf([]), 0, 100)).toEqual({ from: 0, to: 12 })
  })

  test('are found among rows of unequal heights', () => {
    const heights = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 10 : 190))
    expect(rowsAround(offsetsOf(heights), 5000, 5400)).toEqual({ from: 40, to: 64 })
  })

  test('always hold those in sight, wherever one scrolls', () => {
    const offsets = offsetsOf(Array.from({ length: 150 }, (_, at) => 20 + ((at * 37) % 90)))
    for (let top = 0; top < (offsets.at(-1) ?? 0); top += 7) {
      const { from, to } = rowsAround(offsets, top, top + 600)
      expect(offsets[from]).toBeLessThanOrEqual(top)
      expect(offsets[Math.min(to, 150)]).toBeGreaterThanOrEqual(Math.min(top + 600, offsets[150] ?? 0))
    }
  })
})

test('rows in sight are those that the window cuts, and the nearest one where it lies outside', () => {
  expect(rowsInSight(even, 1000, 1195)).toEqual({ from: 100, to: 120 })
  expect(rowsInSight(even, 1005, 1195)).toEqual({ from: 100, to: 120 })
  expect(rowsInSight(even, -500, -100)).toEqual({ from: 0, to: 1 })
  expect(rowsInSight(even, 9000, 9500)).toEqual({ from: 199, to: 200 })
})

describe('what is drawn', () => {
  test('is the window, both ends and the neighbours of the focus', () => {
    expect(drawnRows(200, { from: 50, to: 90 }, undefined)).toEqual([
      { from: 0, to: 1 },
      { from: 50, to: 90 },
      { from: 199, to: 200 },
    ])
    expect(drawnRows(200, { from: 50, to: 90 }, 120).map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [50, 90],
      [119, 122],
      [199, 200],
    ])
  })

  test('is one part where parts meet', () => {
    expect(drawnRows(200, { from: 0, to: 40 }, 39)).toEqual([
      { from: 0, to: 41 },
      { from: 199, to: 200 },
    ])
    expect(drawnRows(100, { from: 60, to: 100 }, 0)).toEqual([
      { from: 0, to: 2 },
      { from: 60, to: 100 },
    ])
    expect(drawnRows(3, { from: 0, to: 40 }, 2)).toEqual([{ from: 0, to: 3 }])
  })
})

describe('heights', () => {
  test('of rows that were never drawn are those of the first ones that were', () => {
    const heights = new RowHeights()
    expect(
      heights.note([
        ['a', 40],
        ['b', 60],
      ]),
    ).toBe(false)
    expect([heights.of('a'), heights.of('b'), heights.of('c')]).toEqual([40, 60, 50])
    expect(heights.note([['a', 100]])).toBe(true)
    expect([heights.of('a'), heights.of('c')]).toEqual([100, 50])
  })

  test('are measured anew once all rows have others', () => {
    const heights = new RowHeights()
    heights.note([['a', 40]])
    heights.forget()
    expect(heights.note([['b', 20]])).toBe(false)
    expect(heights.of('a')).toBe(20)
  })
})

test('a row is found where others came above it', () => {
  const keys = ['n', 'm', 'a', 'b']
  const keyAt = (index: number) => keys[index]
  expect(indexOfRow({ key: 'a', index: 0 }, keyAt, 4)).toBe(2)
  expect(indexOfRow({ key: 'b', index: 3 }, keyAt, 4)).toBe(3)
  expect(indexOfRow({ key: 'gone', index: 1 }, keyAt, 4)).toBeUndefined()
})
