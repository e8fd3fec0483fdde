import { expect, test } from 'vitest'
import { formatDuration } from './format-duration.ts'

test.each([
  [-5, '0 ms'],
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [3_600_000, '1 h'],
  [7_800_000, '2 h 10 min'],
  [90_000_000, '1 d 1 h'],
])('%i ms reads %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
