import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toWire } from './to-wire.ts'

test('a row is sent in snake_case, with its times as texts', () => {
  const row = {
    teamPath: 'acme',
    createdAt: new Date('2026-11-23T10:00:00.000Z'),
    usedAt: null,
    labels: ['a'],
    by: { fullName: 'Ada' },
  }
  assert.deepEqual(toWire(row), {
    team_path: 'acme',
    created_at: '2026-11-23T10:00:00.000Z',
    used_at: null,
    labels: ['a'],
    by: { fullName: 'Ada' },
  })
})
