import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [10 * 1024, '10 KiB'],
  [1.5 * 1024 ** 3, '1.5 GiB'],
  [5000 * 1024 ** 4, '5000 TiB'],
])('%i bytes read %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
