import { expect, test } from 'vitest'
import { type Runner, reasonOf, stateOf } from './runner.ts'

const online: Runner = {
  id: '0198c2f0-0000-7000-8000-000000000000',
  name: 'one',
  team_path: 'acme',
  scopes: ['acme/**'],
  labels: [],
  offered_labels: [],
  executors: ['host'],
  capacity: 2,
  version: '0.1.0',
  enabled: true,
  draining: false,
  leaving: false,
  connected: true,
  connected_at: '2026-01-01T00:00:00.000Z',
  last_seen_at: '2026-01-01T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

test.each([
  [{}, 'runner_online', undefined],
  [{ draining: true }, 'runner_draining', /drains/],
  [{ leaving: true }, 'runner_draining', /stopping/],
  [{ connected: false }, 'runner_away', /no connection/],
  [{ connected: false, last_seen_at: null }, 'runner_away', /never/],
  [{ enabled: false, connected: false }, 'disabled', /disabled/],
])('a runner with %j is %s', (change, state, reason) => {
  const runner = { ...online, ...change }
  expect(stateOf(runner)).toBe(state)
  if (reason === undefined) expect(reasonOf(runner)).toBeUndefined()
  else expect(reasonOf(runner)).toMatch(reason)
})
