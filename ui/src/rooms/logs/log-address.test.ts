import { expect, test } from 'vitest'
import { linesAt, readLogAddress, writeLogAddress } from './log-address.ts'

const RANGE = { section: 'build/unit/1', first: 12, last: 20 }

test('the address holds the chosen lines and the search beside what others keep there', () => {
  const path = '/runs/1?tab=overview&task=build%2Funit'
  const written = writeLogAddress(path, { chosen: RANGE, text: 'a b&c', isExpression: true })
  expect(written).toBe(
    '/runs/1?tab=overview&task=build%2Funit&line=build%2Funit%2F1%3A12-20&find=a+b%26c&expression=true',
  )
  expect(readLogAddress({ line: 'build/unit/1:12-20', find: 'a b&c', expression: true })).toEqual({
    chosen: RANGE,
    text: 'a b&c',
    isExpression: true,
  })
})

test('what is no longer searched leaves the address', () => {
  const path = '/runs/1?find=a&expression=true&line=build%2Funit%2F1%3A1'
  expect(writeLogAddress(path, { chosen: undefined, text: '', isExpression: true })).toBe('/runs/1')
})

test('a number that is searched for stays as it was written', () => {
  expect(writeLogAddress('/runs/1', { chosen: undefined, text: '1e3', isExpression: false })).toBe(
    '/runs/1?find=%221e3%22',
  )
})

test('what the address cannot mean is left out', () => {
  const read = readLogAddress({ line: 'build', find: 7, expression: 'yes' })
  expect(read).toEqual({ chosen: undefined, text: '7', isExpression: false })
})

test('each line has an address of its own, with the rest as it is', () => {
  const hrefOf = linesAt('/runs/1?task=build&line=build%2Funit%2F1%3A1')
  expect(hrefOf(RANGE)).toBe('#/runs/1?task=build&line=build%2Funit%2F1%3A12-20')
  expect(linesAt('/runs/1')(RANGE)).toBe('#/runs/1?line=build%2Funit%2F1%3A12-20')
})
