import type { ScheduleDocument, SchedulePatch } from '@signalbox/contracts/schedules'
import { toCamel } from '#platform/database'
import type { Schedule } from '../store/schedules.ts'

/** What people write of a schedule. */
export type ScheduleDefinition = Pick<
  Schedule,
  | 'teamPath'
  | 'name'
  | 'pipeline'
  | 'runTeamPath'
  | 'variables'
  | 'repository'
  | 'ref'
  | 'scheduleKind'
  | 'cronExpression'
  | 'runAt'
  | 'timezone'
  | 'dstPolicy'
  | 'spread'
  | 'excludeDates'
  | 'calendar'
  | 'notBefore'
  | 'notAfter'
  | 'overlapPolicy'
  | 'misfirePolicy'
  | 'misfireGraceSeconds'
  | 'misfireWindowSeconds'
  | 'enabled'
> & { readonly scope: string | undefined }

const DEFAULTS = {
  scope: undefined,
  runTeamPath: null,
  variables: {},
  repository: null,
  ref: null,
  cronExpression: null,
  runAt: null,
  timezone: 'UTC',
  dstPolicy: 'once',
  spread: null,
  excludeDates: [],
  calendar: null,
  notBefore: null,
  notAfter: null,
  overlapPolicy: 'allow',
  misfirePolicy: 'skip',
  misfireGraceSeconds: 300,
  misfireWindowSeconds: 86_400,
  enabled: true,
} satisfies Partial<ScheduleDefinition>

/** A whole document, with defaults for what it leaves out. */
export function readDocument(body: ScheduleDocument): ScheduleDefinition {
  const { path: teamPath, name, pipeline, schedule_kind: scheduleKind } = body
  return { ...DEFAULTS, teamPath, name, pipeline, scheduleKind, ...readChange(body) }
}

/** The fields that a patch names. */
export function readChange(body: SchedulePatch): Partial<ScheduleDefinition> {
  const { path, not_before: notBefore, not_after: notAfter, ...rest } = body
  const {
    id: _id,
    identifier: _identifier,
    owner: _owner,
    next_fire_at: _next,
    last_fire_at: _last,
    last_outcome: _outcome,
    last_reason: _reason,
    last_run_id: _run,
    created_at: _created,
    updated_at: _updated,
    recent_runs: _recent,
    upcoming: _upcoming,
    words: _words,
    ...written
  } = rest
  const given = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
  return {
    ...toCamel<typeof written>(given),
    ...(path === undefined ? {} : { teamPath: path }),
    ...(notBefore === undefined ? {} : { notBefore: toDate(notBefore) }),
    ...(notAfter === undefined ? {} : { notAfter: toDate(notAfter) }),
  }
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
