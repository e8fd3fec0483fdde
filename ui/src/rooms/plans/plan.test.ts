import { describe, expect, test } from 'vitest'
import { actionWords, argumentsOf, isOpen, standingOf } from './plan.ts'

const NOW = new Date('2026-11-28T10:00:00Z')
const waiting = {
  status: 'waiting_for_person',
  expires_at: '2026-11-28T10:04:00Z',
  confirmation: 'person',
  outcome: null,
} as const

describe('a plan', () => {
  test('says how it stands', () => {
    expect(standingOf(waiting, NOW)).toBe('It waits for a person who may do the same. 4 min are left.')
    expect(standingOf({ ...waiting, status: 'waiting' }, NOW)).toContain('then another person approves')
    expect(standingOf({ ...waiting, status: 'waiting', confirmation: 'agent' }, NOW)).not.toContain('another person')
    expect(standingOf({ ...waiting, status: 'refused' }, NOW)).toContain('nothing was done')
    expect(standingOf({ ...waiting, status: 'stale' }, NOW)).toContain('has changed')
    const outcome = { status: null, body: null, resources: [] }
    expect(standingOf({ ...waiting, status: 'confirmed', outcome }, NOW)).toContain('not known')
    expect(standingOf({ ...waiting, status: 'confirmed', outcome: { ...outcome, status: 202 } }, NOW)).toBe(
      'It was carried out.',
    )
  })

  test('is over with its time, though the server has not said so yet', () => {
    const over = { ...waiting, expires_at: NOW.toISOString() }
    expect(isOpen(waiting, NOW)).toBe(true)
    expect(isOpen(over, NOW)).toBe(false)
    expect(isOpen({ ...waiting, status: 'confirmed' }, NOW)).toBe(false)
    expect(standingOf(over, NOW)).toContain('cannot be carried out any more')
  })

  test('names its action, also one of a newer control plane', () => {
    expect(actionWords('startRun')).toBe('Start a run')
    expect(actionWords('paintWall')).toBe('paintWall')
  })

  test('shows its arguments exactly', () => {
    expect(argumentsOf({ params: { identifier: 'acme/web' }, body: { scope: 'acme/test' } })).toBe(
      '{\n  "params": {\n    "identifier": "acme/web"\n  },\n  "body": {\n    "scope": "acme/test"\n  }\n}',
    )
  })
})
