import { LRUCache } from 'lru-cache'
import { isUnavailable, uniqueViolation } from '#platform/database'
import { describeFaults } from '#platform/problems'
import { toWireTime } from '#platform/time'
import { commitFires, type PreparedSchedule } from '../actions/commit-fires.ts'
import { findScheduledCheckout } from '../actions/find-checkout.ts'
import { judgeOwner, ownerOfSchedule } from '../actions/judge-owner.ts'
import type { Means } from '../means.ts'
import { type CompileResult, compileTiming, decideDue, type Occurrence, timingOf } from '../rules/index.ts'
import { advance, findNextDue, listDue, lockUnchanged, putOff } from '../store/due.ts'
import type { Schedule } from '../store/schedules.ts'

/** Schedules that share a transaction. */
const BATCH = 500
/** Repositories that are asked at a time: each may take a minute. */
const LOOK_UPS = 4
/** A repository that could not be read, and a schedule that could not be fired, are tried again after this. */
const RETRY_MS = 30_000
const KEPT_TIMINGS = 20_000

export interface Scheduler {
  /** Fires what is due now; answers whether more is. Throws what the database throws. */
  fire(): Promise<{ readonly more: boolean }>
  /** When the next schedule becomes due. */
  nextDue(): Promise<Date | undefined>
  /** Resolves when no repository is being asked any more. */
  settle(): Promise<void>
}

/**
 * Fires schedules whose time has come. Any number of them may run at once: a schedule is locked while its instants are
 * stored, and each instant is stored once. One that names a repository is fired apart, so that nobody waits for that.
 */
export function createScheduler(means: Means): Scheduler {
  const timings = new LRUCache<string, CompileResult>({ max: KEPT_TIMINGS })
  const lookingUp = new Map<string, Promise<void>>()

  async function fire(): Promise<{ readonly more: boolean }> {
    const due = await listDue(means.database.kysely, means.clock.now(), BATCH)
    const apart = due.filter((schedule) => schedule.repository !== null && !lookingUp.has(schedule.id))
    for (const schedule of apart.slice(0, LOOK_UPS - lookingUp.size)) lookUp(schedule)
    const plain = due.filter((schedule) => schedule.repository === null)
    if (plain.length === 0) return { more: false }
    const fired = await fireTogether(plain)
    return { more: fired > 0 && due.length === BATCH }
  }

  /** Answers how many were fired; others may be at the rest. */
  async function fireTogether(schedules: readonly Schedule[]): Promise<number> {
    const prepared: PreparedSchedule[] = []
    for (const schedule of schedules) prepared.push(await prepare(schedule))
    try {
      return await commit(prepared)
    } catch (error) {
      if (isUnavailable(error)) throw error
      // One of them cannot be stored: it must not keep the others from firing.
      let fired = 0
      for (const one of prepared) fired += await fireAlone(one)
      return fired
    }
  }

  async function commit(prepared: readonly PreparedSchedule[]): Promise<number> {
    const { schedules, ended } = await commitFires(means, prepared)
    const at = means.clock.now()
    for (const cause of ended) {
      means.runs.metrics.finished({ status: 'canceled', cause, queuedAt: at, startedAt: null }, at)
    }
    return schedules
  }

  async function fireAlone(prepared: PreparedSchedule): Promise<number> {
    const { schedule } = prepared
    try {
      return await commit([prepared])
    } catch (error) {
      if (isUnavailable(error)) throw error
      if (uniqueViolation(error) === 'schedule_fires_once') return skipFired(prepared)
      means.log.error({ err: error, schedule_id: schedule.id }, 'a schedule could not be fired')
      const at = new Date(means.clock.now().getTime() + RETRY_MS)
      await putOff(means.database.kysely, schedule, { at, reason: 'It could not be fired: see the log of the server.' })
      return 1
    }
  }

  /** The instant has fired: the clock was set back, and the schedule written meanwhile. It goes on behind it. */
  async function skipFired({ schedule }: PreparedSchedule): Promise<number> {
    const after = [means.clock.now(), schedule.nextFireAt, schedule.lastFireAt].map((at) => at?.getTime() ?? 0)
    const next = nextAfter(schedule, new Date(Math.max(...after)))
    await means.database.transaction(async (tx) => {
      if (!(await lockUnchanged(tx, [schedule])).has(schedule.id)) return
      await advance(tx, [{ ...schedule, nextFireAt: next?.planned ?? null, lastRunId: null }])
    })
    return 1
  }

  async function prepare(schedule: Schedule): Promise<PreparedSchedule> {
    const { nextFireAt } = schedule
    if (!nextFireAt) throw new Error(`The schedule ${schedule.id} is not due`)
    const timing = compile(schedule)
    if (!timing.ok) return unreadable(schedule, nextFireAt, describeFaults(timing.faults))
    const decision = decideDue({ ...schedule, compiled: timing.timing, nextFireAt, now: means.clock.now() })
    const isDue = decision.fires.some((fired) => fired.outcome === 'due')
    const start = isDue ? await judgeOwner(means, schedule, ownerOfSchedule(schedule)) : undefined
    return { schedule, decision, start, checkout: undefined }
  }

  function compile(schedule: Schedule): CompileResult {
    const key = `${schedule.id} ${schedule.updatedAt.getTime()}`
    const known = timings.get(key) ?? compileTiming(timingOf(schedule))
    timings.set(key, known)
    return known
  }

  function nextAfter(schedule: Schedule, after: Date): Occurrence | undefined {
    const timing = compile(schedule)
    return timing.ok ? timing.timing.next(after) : undefined
  }

  function lookUp(schedule: Schedule): void {
    const done = fireWithCheckout(schedule)
      .catch((error: unknown) => {
        if (!isUnavailable(error))
          means.log.error({ err: error, schedule_id: schedule.id }, 'a schedule could not be fired')
      })
      .finally(() => void lookingUp.delete(schedule.id))
    lookingUp.set(schedule.id, done)
  }

  async function fireWithCheckout(schedule: Schedule): Promise<void> {
    const prepared = await prepare(schedule)
    const { start } = prepared
    if (!start || 'refusal' in start) return void (await fireAlone(prepared))
    const owner = ownerOfSchedule(schedule)
    const { teamPath } = start.pipeline
    const found = await findScheduledCheckout(means, schedule, { owner, teamPath })
    if ('checkout' in found) return void (await fireAlone({ ...prepared, checkout: found.checkout }))
    if (found.retry && isWithinGrace(schedule)) {
      const at = new Date(means.clock.now().getTime() + RETRY_MS)
      return putOff(means.database.kysely, schedule, { at, reason: found.problem })
    }
    const refusal = { why: 'invalid' as const, reason: found.problem }
    await fireAlone({ ...prepared, start: { refusal } })
  }

  /** After another try it would still be. */
  function isWithinGrace({ nextFireAt, misfireGraceSeconds }: Schedule): boolean {
    const late = means.clock.now().getTime() + RETRY_MS - (nextFireAt?.getTime() ?? 0)
    return late <= misfireGraceSeconds * 1000
  }

  return {
    fire,
    nextDue: () => findNextDue(means.database.kysely),
    async settle() {
      await Promise.all(lookingUp.values())
    },
  }
}

/** A later version reads expressions by other rules: the schedule says so, and rests until somebody writes it anew. */
function unreadable(schedule: Schedule, planned: Date, faults: string): PreparedSchedule {
  const occurrence = { planned, nominal: planned, local: toWireTime(planned), marks: [], excludedBy: null }
  const reason = `Its timing can no longer be read: ${faults}`
  return {
    schedule,
    decision: { fires: [{ occurrence, outcome: 'due', late: 0, count: 1, until: null }], next: undefined, more: false },
    start: { refusal: { why: 'invalid', reason } },
    checkout: undefined,
  }
}
