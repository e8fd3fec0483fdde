import { expect, test } from 'vitest'
import { documentOf, draftOf, emptyDraft, type Schedule } from './schedule.ts'

const schedule: Schedule = {
  id: '0198c2f0-0000-7000-8000-000000000000',
  identifier: 'acme/nightly',
  path: 'acme',
  name: 'nightly',
  pipeline: 'acme/build',
  schedule_kind: 'recurring',
  cron_expression: '0 3 * * *',
  run_at: null,
  timezone: 'Europe/Berlin',
  dst_policy: 'once',
  spread: '15m',
  exclude_dates: ['2026-12-25'],
  calendar: 'BEGIN:VCALENDAR',
  not_before: null,
  not_after: '2030-01-01T00:00:00.000Z',
  enabled: false,
  scope: 'acme/local',
  run_team_path: 'acme/web',
  variables: { A: 'b=c' },
  repository: 'acme/shop',
  ref: 'main',
  overlap_policy: 'skip',
  misfire_policy: 'last',
  misfire_grace_seconds: 60,
  misfire_window_seconds: 3600,
  owner: { kind: 'user', id: '1', name: 'ada' },
  next_fire_at: null,
  last_fire_at: null,
  last_outcome: null,
  last_reason: null,
  last_run_id: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
}

test('a schedule that is edited and not changed keeps everything, also what the form does not show', () => {
  expect(schedule).toMatchObject(documentOf(draftOf(schedule), schedule))
})

test('a schedule of one time has no expression', () => {
  const draft = { ...emptyDraft('acme'), kind: 'one_time' as const, runAt: '2030-01-01T00:00' }
  expect(documentOf(draft)).toMatchObject({ cron_expression: null, run_at: '2030-01-01T00:00' })
})
