import { expect, test } from 'vitest'
import { countOf } from './count-of.ts'

test('a number has its noun in the form that fits', () => {
  expect(countOf(0, 'run')).toBe('0 runs')
  expect(countOf(1, 'run')).toBe('1 run')
  expect(countOf(12_000, 'reply', 'replies')).toBe('12,000 replies')
})
