import { expect, test } from 'vitest'
import { limitsInWords, NO_LIMITS, sentLimits } from './token-limits.ts'

const TABLE = [
  { name: 'run.read', family: 'runs', limitable: true },
  { name: 'token.write', family: 'access', limitable: false },
]

test('only limits that were chosen, and that are known, are sent', () => {
  expect(sentLimits(NO_LIMITS, TABLE)).toEqual({})
  const chosen = { teamPath: 'acme', isReadOnly: true, permissions: ['run.read', 'run.fly'], families: ['runs', 'x'] }
  expect(sentLimits(chosen, TABLE)).toEqual({
    team_path: 'acme',
    read_only: true,
    permissions: ['run.read'],
    families: ['runs'],
  })
})

test('the limits of a token are told in a few words', () => {
  const none = { team_path: null, read_only: false, permissions: null, families: null }
  expect(limitsInWords(none)).toBe('nothing')
  const all = { team_path: 'acme', read_only: true, permissions: ['run.read'], families: ['runs'] }
  expect(limitsInWords(all)).toBe('acme, reading, run.read, family runs')
})
