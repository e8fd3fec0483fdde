import { expect, test } from 'vitest'
import { hiddenWords, originOf } from './right-words.ts'

const right = { role: 'owner', team_path: 'acme/web', origin: 'own', group: null, created_at: '' } as const
const group = { id: 'g', name: 'leads' }

test('a right says where it comes from', () => {
  const told = (more: Partial<Parameters<typeof originOf>[0]>): string => originOf({ ...right, ...more }, 'acme/web')
  expect(told({})).toBe('given here')
  expect(told({ origin: 'inherited', team_path: 'acme' })).toBe('inherited from acme')
  expect(told({ origin: 'inherited', team_path: '/' })).toBe('inherited from the platform')
  expect(told({ origin: 'group', group })).toBe('through the group leads, given here')
  expect(told({ origin: 'group', group, team_path: '/' })).toBe('through the group leads, inherited from the platform')
})

test('what is hidden is told as that, and no more', () => {
  expect(hiddenWords({ subject: null, rights: [] })).toMatch(/whom you may not see/)
  expect(hiddenWords({ subject: 'user:1', rights: [] })).toMatch(/^A grant of a team above/)
  expect(hiddenWords({ subject: 'user:1', rights: [{ ...right, grant_id: '1' }] })).toMatch(/^And a grant/)
})
