import { type Static, Type } from 'typebox'
import { Nullable, OURS, Time, Uuid } from '../http/index.ts'
import { RunStatus } from '../runs/index.ts'
import { Occurrence } from './occurrence.ts'
import { Schedule } from './schedule.ts'

export * from './explanation.ts'
export * from './fire.ts'
export * from './occurrence.ts'
export {
  DST_POLICIES,
  type DstPolicy,
  FIRE_OUTCOMES,
  type FireOutcome,
  MISFIRE_POLICIES,
  type MisfirePolicy,
  OVERLAP_POLICIES,
  type OverlapPolicy,
  SCHEDULE_KINDS,
  Schedule,
  ScheduleDocument,
  type ScheduleKind,
  ScheduleParams,
  SchedulePatch,
  ScheduleQuery,
  ScheduleRunStarted,
} from './schedule.ts'

export const RecentRun = Type.Object({
  run_id: Uuid,
  status: RunStatus,
  scheduled_at: Nullable(Time),
  queued_at: Time,
  started_at: Nullable(Time),
  finished_at: Nullable(Time),
})
export type RecentRun = Static<typeof RecentRun>

export const ScheduleDetail = Type.Object({
  ...Schedule.properties,
  words: Type.String({ ...OURS, description: 'When it fires, as a sentence.' }),
  recent_runs: Type.Array(RecentRun, { description: 'Its last ten that the caller may see, newest first.' }),
  upcoming: Type.Array(Occurrence, { description: 'Its next five instants; none while it is disabled.' }),
})
export type ScheduleDetail = Static<typeof ScheduleDetail>
