import type { Tx } from '#platform/database'
import { SCHEDULE_NOT_FIRED } from '../facts.ts'
import type { Means } from '../means.ts'
import { compileTiming, decideDue, timingOf } from '../rules/index.ts'
import { insertFires, listDecided } from '../store/fires.ts'
import type { Schedule } from '../store/schedules.ts'
import { fireOf, notFired } from './decided-fire.ts'

/**
 * Instants that are due already, and that a change of the schedule keeps from firing: each gets its record as missed, so
 * that none passes in silence. `schedule` is locked, and as it was before the change.
 */
export async function recordPassed(means: Means, tx: Tx, schedule: Schedule, reason: string): Promise<void> {
  const { nextFireAt } = schedule
  const now = means.clock.now()
  const timing = compileTiming(timingOf(schedule))
  if (nextFireAt === null || nextFireAt > now || !timing.ok) return
  const { fires: passed } = decideDue({ ...schedule, compiled: timing.timing, nextFireAt, now })
  const planned = passed.map(({ occurrence }) => occurrence.planned)
  const decided = await listDecided(tx, schedule.id, planned)
  const fires = passed
    .filter(({ occurrence }) => !decided.has(occurrence.planned.getTime()))
    .map((fire) => fireOf(means, schedule, fire, { outcome: 'missed', reason }))
  await insertFires(tx, fires)
  const told = fires.flatMap((fire) => notFired(schedule, fire))
  await means.facts.tellAll(tx, SCHEDULE_NOT_FIRED.kind, SCHEDULE_NOT_FIRED.version, told)
}
