import { expect, test } from 'vitest'
import { makePassword } from './user.ts'

test('a password is long enough for the server, easy to type, and new each time', () => {
  const made = Array.from({ length: 200 }, makePassword)
  for (const password of made) expect(password).toMatch(/^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/)
  expect(new Set(made).size).toBe(200)
  expect(new Set(made.join('')).size).toBe(32)
})
