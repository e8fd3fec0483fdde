import { expect, test } from 'vitest'
import { expiryAfter, LIFETIMES } from './token-expiry.ts'

const NOW = new Date('2026-11-23T12:00:00.000Z')

test('a token ends so many days from now, or never', () => {
  expect(expiryAfter('7', NOW)).toBe('2026-11-30T12:00:00.000Z')
  expect(expiryAfter('never', NOW)).toBeNull()
  for (const { value } of LIFETIMES) expect(() => expiryAfter(value, NOW)).not.toThrow()
})
