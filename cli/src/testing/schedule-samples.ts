import { answer, type Handler } from './fake-api.ts'

export const SCHEDULE_ID = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'

export const SCHEDULE = {
  id: SCHEDULE_ID,
  identifier: 'acme/web/nightly',
  path: 'acme/web',
  name: 'nightly',
  pipeline: 'acme/web/build',
  scope: 'acme/web/test',
  schedule_kind: 'recurring',
  cron_expression: '30 2 * * 1-5',
  run_at: null,
  timezone: 'Europe/Berlin',
  dst_policy: 'once',
  spread: '15m',
  exclude_dates: ['2026-12-25'],
  calendar: 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\n',
  not_before: null,
  not_after: null,
  enabled: true,
  run_team_path: null,
  variables: { LEVEL: 'full' },
  repository: 'acme/shop',
  ref: 'main',
  overlap_policy: 'skip',
  misfire_policy: 'last',
  misfire_grace_seconds: 300,
  misfire_window_seconds: 86_400,
  owner: { kind: 'user', id: 'u', name: 'ada' },
  next_fire_at: '2026-11-24T01:37:00.000Z',
  last_fire_at: '2026-11-23T01:37:00.000Z',
  last_outcome: 'denied',
  last_reason: 'ada may not start runs of acme/web any more.',
  last_run_id: null,
  created_at: '2026-11-21T03:00:00.000Z',
  updated_at: '2026-11-21T03:00:00.000Z',
}

export const OCCURRENCES = [
  {
    planned_at: '2026-11-24T01:37:00.000Z',
    nominal_at: '2026-11-24T01:30:00.000Z',
    local: '2026-11-24T02:37:00+01:00',
    marks: ['spread'],
    excluded_by: null,
  },
  {
    planned_at: '2026-12-25T01:37:00.000Z',
    nominal_at: '2026-12-25T01:30:00.000Z',
    local: '2026-12-25T02:37:00+01:00',
    marks: ['first_of_two', 'excluded'],
    excluded_by: '2026-12-25',
  },
]

export const RECENT_RUN = {
  run_id: '01a1fc20-0000-7000-8000-000000000001',
  status: 'success',
  scheduled_at: '2026-11-20T01:30:00.000Z',
  queued_at: '2026-11-20T01:37:00.000Z',
  started_at: '2026-11-20T01:37:01.000Z',
  finished_at: '2026-11-20T01:37:05.000Z',
}

const DETAIL = {
  ...SCHEDULE,
  words: 'At 02:30 AM, Monday through Friday, Europe/Berlin',
  recent_runs: [RECENT_RUN],
  upcoming: OCCURRENCES.slice(0, 1),
}

/** An API that has the one schedule. */
export const scheduleStore: Handler = ({ method, path }, response) => {
  if (method === 'DELETE') answer(response, 204, undefined)
  else if (method === 'GET') answer(response, 200, /^\/v1\/schedules(\?|$)/.test(path) ? [SCHEDULE] : DETAIL)
  else answer(response, path === '/v1/schedules' ? 201 : 200, SCHEDULE)
}
