import type { BodyOf, ItemOf } from '@signalbox/contracts/http/requests'
import type { SuccessOf } from '@signalbox/contracts/http/routes'
import type { backfillRoutes, fireRoutes, scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { readAssignments, writeAssignments } from '../../components/assignments.ts'

export type Schedule = ItemOf<typeof scheduleRoutes.listSchedules>
export type ScheduleDetail = SuccessOf<typeof scheduleRoutes.getSchedule>
export type ScheduleDocument = BodyOf<typeof scheduleRoutes.createSchedule>
export type Fire = ItemOf<typeof fireRoutes.listFires>
export type Backfill = ItemOf<typeof backfillRoutes.listBackfills>
export type Occurrence = ScheduleDetail['upcoming'][number]

/** A schedule as a person edits it. */
export interface ScheduleDraft {
  readonly path: string
  readonly name: string
  readonly pipeline: string
  readonly scope: string
  readonly kind: 'recurring' | 'one_time'
  readonly cron: string
  readonly runAt: string
  readonly timezone: string
  readonly spread: string
  readonly excludeDates: readonly string[]
  readonly dst: 'once' | 'skip' | 'both'
  readonly overlap: 'allow' | 'skip' | 'queue_one' | 'cancel_running'
  readonly misfire: 'skip' | 'last' | 'all'
  /** A line each: NAME=value. */
  readonly variables: string
  readonly repository: string
  readonly ref: string
}

export function emptyDraft(path: string): ScheduleDraft {
  return {
    path,
    name: '',
    pipeline: '',
    scope: '',
    kind: 'recurring',
    cron: '0 3 * * *',
    runAt: '',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    spread: '',
    excludeDates: [],
    dst: 'once',
    overlap: 'allow',
    misfire: 'skip',
    variables: '',
    repository: '',
    ref: '',
  }
}

export function draftOf(schedule: Schedule): ScheduleDraft {
  return {
    path: schedule.path,
    name: schedule.name,
    pipeline: schedule.pipeline,
    scope: schedule.scope,
    kind: schedule.schedule_kind,
    cron: schedule.cron_expression ?? '',
    runAt: schedule.run_at ?? '',
    timezone: schedule.timezone,
    spread: schedule.spread ?? '',
    excludeDates: schedule.exclude_dates,
    dst: schedule.dst_policy,
    overlap: schedule.overlap_policy,
    misfire: schedule.misfire_policy,
    variables: writeAssignments(schedule.variables),
    repository: schedule.repository ?? '',
    ref: schedule.ref ?? '',
  }
}

/** What says when a draft fires: the body of a preview, too. */
export function timingOf(draft: ScheduleDraft) {
  const isRecurring = draft.kind === 'recurring'
  return {
    schedule_kind: draft.kind,
    cron_expression: isRecurring ? draft.cron : null,
    run_at: isRecurring ? null : draft.runAt,
    timezone: draft.timezone,
    dst_policy: draft.dst,
    spread: draft.spread === '' ? null : draft.spread,
    exclude_dates: draft.excludeDates,
  }
}

/** The document that a draft stands for. What the form has no field for stays as it is stored. */
export function documentOf(draft: ScheduleDraft, stored?: Schedule): ScheduleDocument {
  const kept = stored
    ? {
        calendar: stored.calendar,
        not_before: stored.not_before,
        not_after: stored.not_after,
        enabled: stored.enabled,
        run_team_path: stored.run_team_path,
        misfire_grace_seconds: stored.misfire_grace_seconds,
        misfire_window_seconds: stored.misfire_window_seconds,
      }
    : {}
  return {
    ...kept,
    ...timingOf(draft),
    path: draft.path,
    name: draft.name,
    pipeline: draft.pipeline,
    ...(draft.scope === '' ? {} : { scope: draft.scope }),
    overlap_policy: draft.overlap,
    misfire_policy: draft.misfire,
    variables: readAssignments(draft.variables),
    repository: draft.repository === '' ? null : draft.repository,
    ref: draft.ref === '' ? null : draft.ref,
  }
}
