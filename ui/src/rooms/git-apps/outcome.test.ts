import { GIT_APP_ERRORS, GIT_APP_OUTCOMES } from '@signalbox/contracts/git-apps'
import { describe, expect, test } from 'vitest'
import { readGitAppSearch } from './git-app-address.ts'
import { describeOutcome } from './outcome.ts'

describe('the way back from a provider', () => {
  test('is read from the address, and nothing but plain words', () => {
    const back = { outcome: 'registered', provider: 'github' }
    expect(readGitAppSearch(back)).toEqual(back)
    expect(readGitAppSearch({ error: 'denied' })).toEqual({ error: 'denied' })
    for (const hostile of ['<script>', 'x'.repeat(61), 7, null, ['a'], 'javascript:alert(1)']) {
      expect(readGitAppSearch({ outcome: hostile, error: hostile, provider: hostile })).toEqual({})
    }
  })

  test('has a sentence of its own for each outcome and each error', () => {
    const good = GIT_APP_OUTCOMES.map((outcome) => describeOutcome({ outcome }))
    const bad = GIT_APP_ERRORS.map((error) => describeOutcome({ error }))
    expect(good.map((told) => told?.isGood)).toEqual(good.map(() => true))
    expect(bad.map((told) => told?.isGood)).toEqual(bad.map(() => false))
    expect(new Set([...good, ...bad].map((told) => told?.sentence)).size).toBe(good.length + bad.length)
  })

  test('promises nothing by a word that nobody knows', () => {
    for (const word of ['what', 'constructor', 'tostring']) {
      expect(describeOutcome({ outcome: word })).toMatchObject({ isGood: false, title: `It ended with "${word}"` })
      expect(describeOutcome({ error: word })).toMatchObject({ isGood: false })
    }
    expect(describeOutcome({})).toBeUndefined()
  })
})
