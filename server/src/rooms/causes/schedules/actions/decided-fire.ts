import { toWireTime } from '#platform/time'
import type { ScheduleNotFired } from '../facts.ts'
import type { Means } from '../means.ts'
import { type DueFire, storableReason } from '../rules/index.ts'
import type { Fire } from '../store/fires.ts'
import type { Schedule } from '../store/schedules.ts'

/** Before why an earlier try of a missed instant started nothing. */
export const TRIED = 'It had been tried before:'

/** What became of a planned instant. */
export type DecidedFire = Fire & { readonly outcome: NonNullable<Schedule['lastOutcome']> }

interface FireResult {
  readonly outcome: DecidedFire['outcome']
  readonly reason?: string | undefined
  readonly runId?: string
}

export function fireOf(means: Means, schedule: Schedule, fire: DueFire, result: FireResult): DecidedFire {
  return {
    id: means.ids.next(),
    scheduleId: schedule.id,
    pipeline: schedule.pipeline,
    kind: 'scheduled',
    backfillId: null,
    plannedAt: fire.occurrence.planned,
    nominalAt: fire.occurrence.nominal,
    firedAt: means.clock.now(),
    outcome: result.outcome,
    runId: result.runId ?? null,
    reason: result.reason === undefined ? null : storableReason(result.reason),
    missedCount: fire.count,
    missedUntil: fire.until,
  }
}

/** The fact of an instant that started nothing; none where it did. */
export function notFired(schedule: Schedule, fire: DecidedFire): readonly ScheduleNotFired[] {
  const { outcome, reason } = fire
  if (reason === null || outcome === 'started') return []
  return [
    {
      schedule_id: schedule.id,
      identifier: `${schedule.teamPath}/${schedule.name}`,
      team_path: schedule.teamPath,
      fire_id: fire.id,
      planned_at: toWireTime(fire.plannedAt),
      outcome,
      reason,
      missed_count: fire.missedCount,
    },
  ]
}
