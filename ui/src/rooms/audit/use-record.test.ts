import { expect, test } from 'vitest'
import { MOST_PAGES, seek } from './use-record.ts'

function pages(count: number, hasNextPage: boolean, error: Error | null = null) {
  const data = { pages: Array.from({ length: count }, (_, page) => ({ body: [{ id: `record ${page}` }] })) }
  return { data, hasNextPage, error }
}

test('a record of a page that was read is found', () => {
  expect(seek('record 1', pages(2, true))).toEqual({ record: { id: 'record 1' }, isSought: false })
})

test('it is looked for in further pages, up to a bound, and not after a failure', () => {
  expect(seek('x', { data: undefined, hasNextPage: false, error: null }).isSought).toBe(true)
  expect(seek('x', pages(2, true)).isSought).toBe(true)
  expect(seek('x', pages(2, false)).isSought).toBe(false)
  expect(seek('x', pages(MOST_PAGES, true)).isSought).toBe(false)
  expect(seek('x', pages(2, true, new Error('away'))).isSought).toBe(false)
})

test('nothing is looked for where no record is asked for', () => {
  expect(seek(undefined, pages(1, true)).isSought).toBe(false)
})
