import { expect, test } from 'vitest'
import { wordsOf } from './sign-in-errors.ts'

test('an error in the address is told in fixed words, whatever stands there', () => {
  expect(wordsOf(undefined)).toBeUndefined()
  expect(wordsOf('denied')).toMatch(/agree there/)
  for (const planted of ['<b>call 0800-evil</b>', '__proto__', 'toString', '']) {
    expect(wordsOf(planted)).toBe('Signing in failed. Try again.')
  }
})
