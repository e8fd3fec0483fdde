import type { ScheduleDetail, Occurrence as WireOccurrence } from '@signalbox/contracts/schedules'
import { type Caller, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import { compileTiming, type Occurrence, timingOf } from '../rules/index.ts'
import type { Schedule } from '../store/schedules.ts'
import { presentFor } from './present-schedule.ts'

const UPCOMING = 5
const RECENT = 10

/** A schedule with its next instants, and those of its last runs that the caller may see. */
export async function describeSchedule(means: Means, caller: Caller, schedule: Schedule): Promise<ScheduleDetail> {
  const compiled = compileTiming(timingOf(schedule))
  const filter = { prefixes: caller.prefixes('run.read'), limit: RECENT }
  const runs = await means.runs.listRecentOf(means.database.kysely, schedule.id, filter)
  return {
    ...(await presentFor(means, caller, schedule)),
    words: compiled.ok ? compiled.timing.words : 'Its timing can no longer be read.',
    recent_runs: runs.map(({ id, team_path: _team, ...run }) => ({ run_id: id, ...toWire(run) })),
    upcoming: compiled.ok && schedule.nextFireAt ? listUpcoming(compiled.timing, schedule.nextFireAt) : [],
  }
}

function listUpcoming(timing: { next(after: Date): Occurrence | undefined }, first: Date): WireOccurrence[] {
  const found: WireOccurrence[] = []
  let after = new Date(first.getTime() - 1)
  while (found.length < UPCOMING) {
    const next = timing.next(after)
    if (!next) break
    found.push(presentOccurrence(next))
    after = next.planned
  }
  return found
}

export function presentOccurrence({ planned, nominal, local, marks, excludedBy }: Occurrence): WireOccurrence {
  return {
    planned_at: planned.toISOString(),
    nominal_at: nominal.toISOString(),
    local,
    marks: [...marks],
    excluded_by: excludedBy,
  }
}
