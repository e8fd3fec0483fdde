import { isUnavailable, uniqueViolation } from '#platform/database'
import { Problem } from '#platform/problems'
import { commitFires, type PreparedSchedule } from '../actions/commit-fires.ts'
import type { Means } from '../means.ts'
import type { ScheduleMetrics } from '../metrics.ts'
import { storableReason } from '../rules/index.ts'
import { putOff } from '../store/due.ts'
import { listDecided } from '../store/fires.ts'
import type { Schedule } from '../store/schedules.ts'

/** A repository that could not be read, and a schedule that could not be fired, are tried again after this. */
export const RETRY_MS = 30_000

/** Stores what became of due instants; one that cannot be stored keeps no other from it. */
export interface FireKeeper {
  /** Answers how many were stored or put off; others may be at the rest. Throws what concerns every schedule. */
  keep(prepared: readonly PreparedSchedule[]): Promise<number>
  /** What has gone wrong with this one alone is told in the log, and tried again later. Throws anything else. */
  giveUp(schedule: Schedule, error: unknown): Promise<void>
  /** Leaves it due, and says why. */
  putOff(schedule: Schedule, reason: string): Promise<void>
}

export function createFireKeeper(means: Means, metrics: ScheduleMetrics): FireKeeper {
  async function commit(prepared: readonly PreparedSchedule[]): Promise<number> {
    const { schedules, fires, ended } = await commitFires(means, prepared)
    const at = means.clock.now()
    metrics.decided(fires)
    for (const cause of ended) {
      means.runs.metrics.finished({ status: 'canceled', cause, queuedAt: at, startedAt: null }, at)
    }
    return schedules
  }

  /** Halves what cannot be stored together until the one that is at fault stands alone. */
  async function keep(prepared: readonly PreparedSchedule[]): Promise<number> {
    try {
      return prepared.length === 0 ? 0 : await commit(prepared)
    } catch (error) {
      if (concernsAll(error)) throw error
      const [only, second] = prepared
      if (only && !second) return await keepAlone(only, error)
      const half = Math.ceil(prepared.length / 2)
      return (await keep(prepared.slice(0, half))) + (await keep(prepared.slice(half)))
    }
  }

  async function keepAlone(prepared: PreparedSchedule, error: unknown): Promise<number> {
    if (uniqueViolation(error) !== 'schedule_fires_once') {
      await giveUp(prepared.schedule, error)
      return 1
    }
    try {
      return await commit([await withoutDecided(prepared)])
    } catch (again) {
      await giveUp(prepared.schedule, again)
      return 1
    }
  }

  /** Some of its instants have fired: the clock was set back, and the schedule written meanwhile. The others fire. */
  async function withoutDecided(prepared: PreparedSchedule): Promise<PreparedSchedule> {
    const { schedule, decision } = prepared
    const planned = decision.fires.map(({ occurrence }) => occurrence.planned)
    const decided = await listDecided(means.database.kysely, schedule.id, planned)
    const fires = decision.fires.filter(({ occurrence }) => !decided.has(occurrence.planned.getTime()))
    return { ...prepared, decision: { ...decision, fires } }
  }

  async function giveUp(schedule: Schedule, error: unknown): Promise<void> {
    if (concernsAll(error)) throw error
    means.log.error({ err: error, schedule_id: schedule.id }, 'a schedule could not be fired')
    await leaveDue(schedule, 'It could not be fired: see the log of the server.')
  }

  async function leaveDue(schedule: Schedule, reason: string): Promise<void> {
    const at = new Date(means.clock.now().getTime() + RETRY_MS)
    await putOff(means.database.kysely, schedule, { at, reason: storableReason(reason) })
  }

  return { keep, giveUp, putOff: leaveDue }
}

/** The database, or what is known of rights, cannot be had: no schedule is at fault, and all wait. */
export function concernsAll(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof Problem && error.status === 503)
}
