import { LRUCache } from 'lru-cache'
import { describeFaults } from '#platform/problems'
import { toWireTime } from '#platform/time'
import type { PreparedSchedule } from '../actions/commit-fires.ts'
import type { OwnerJudge } from '../actions/judge-owner.ts'
import type { Means } from '../means.ts'
import { type CompileResult, compileTiming, decideDue, firstUndecidedOf, timingOf } from '../rules/index.ts'
import type { Schedule } from '../store/schedules.ts'

const KEPT_TIMINGS = 20_000
/** Of the texts of calendars: what is made of one takes several times as much. */
const KEPT_BYTES = 16 * 1024 * 1024
/** So much as this counts a timing without a calendar. */
const PLAIN_BYTES = 256

export interface Preparer {
  /** What is to become of a schedule that is due, without its checkout. Writes nothing. */
  prepare(schedule: Schedule, judge: OwnerJudge): Promise<PreparedSchedule>
}

/** Remembers how expressions are read: each is asked again at each of its instants. */
export function createPreparer({ clock }: Means): Preparer {
  const timings = new LRUCache<string, CompileResult>({ max: KEPT_TIMINGS, maxSize: KEPT_BYTES })

  function compile(schedule: Schedule): CompileResult {
    const key = `${schedule.id} ${schedule.updatedAt.getTime()}`
    const known = timings.get(key)
    if (known) return known
    const compiled = compileTiming(timingOf(schedule))
    timings.set(key, compiled, { size: PLAIN_BYTES + (schedule.calendar?.length ?? 0) })
    return compiled
  }

  return {
    async prepare(schedule, judge) {
      const { nextFireAt } = schedule
      if (!nextFireAt) throw new Error(`The schedule ${schedule.id} is not due`)
      const timing = compile(schedule)
      if (!timing.ok) return unreadable(schedule, nextFireAt, describeFaults(timing.faults))
      const compiled = timing.timing
      const first = firstUndecidedOf(compiled, { ...schedule, nextFireAt })
      const decision = decideDue({ ...schedule, compiled, nextFireAt: first, now: clock.now() })
      const isDue = decision.fires.some((fired) => fired.outcome === 'due')
      return { schedule, decision, start: isDue ? await judge(schedule) : undefined, checkout: undefined }
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
