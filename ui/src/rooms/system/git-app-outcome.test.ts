import { describe, expect, test } from 'vitest'
import { describeOutcome, readGitAppSearch } from './git-app-outcome.ts'

describe('the outcome of a registration', () => {
  test('is read from the address, and nothing but plain words', () => {
    expect(readGitAppSearch({ outcome: 'registered', provider: 'github' })).toEqual({
      outcome: 'registered',
      provider: 'github',
    })
    expect(readGitAppSearch({ error: 'denied' })).toEqual({ outcome: 'denied' })
    for (const hostile of ['<script>', 'x'.repeat(61), 7, null, ['a'], 'javascript:alert(1)']) {
      expect(readGitAppSearch({ outcome: hostile })).toEqual({})
    }
  })

  test('is a sentence', () => {
    expect(describeOutcome('registered')?.isGood).toBe(true)
    expect(describeOutcome('what')?.sentence).toMatch(/"what"/)
    expect(describeOutcome(undefined)).toBeUndefined()
  })
})
