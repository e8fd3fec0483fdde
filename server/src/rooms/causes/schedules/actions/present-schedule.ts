import type { Schedule as WireSchedule } from '@signalbox/contracts/schedules'
import { type Caller, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import type { Fire } from '../store/fires.ts'
import type { Schedule } from '../store/schedules.ts'
import { TRIED } from './decided-fire.ts'

/** To wire, as the reader may see it. */
export function presentFor({ runs }: Pick<Means, 'runs'>, caller: Caller, schedule: Schedule): WireSchedule {
  const { lastOutcome: outcome, lastReason: reason } = schedule
  const { pipeline } = schedule
  return {
    ...presentSchedule(schedule),
    last_reason: tellReason(runs, caller, schedule, { pipeline, outcome, reason }),
  }
}

/** The reason of an instant of the schedule, as the reader may see it: by the pipeline that it was to start. */
export function tellReason(
  runs: Means['runs'],
  caller: Caller,
  schedule: Schedule,
  { pipeline, outcome, reason }: Pick<Fire, 'pipeline' | 'reason'> & { readonly outcome: string | null },
): string | null {
  const isAboutPipeline =
    outcome === 'denied' || outcome === 'invalid' || (outcome === 'missed' && reason?.includes(TRIED) === true)
  if (!isAboutPipeline) return reason
  // Whoever points a schedule at a pipeline of their own becomes its owner, and not that of the fires before.
  return pipeline === schedule.pipeline
    ? reasonOfSchedule(runs, caller, schedule)(reason)
    : runs.reasonFor(caller, { pipeline }, reason)
}

/** As `reasonFor` of runs, for the reasons of one schedule. */
export function reasonOfSchedule({ reasonFor }: Means['runs'], caller: Caller, schedule: Schedule) {
  const { pipeline, ownerKind: kind, ownerId: id } = schedule
  return <Reason extends string | null>(reason: Reason): Reason | string =>
    reasonFor(caller, { pipeline, owner: { kind, id } }, reason)
}

/** What audit records show before and after: what people wrote, without what became of it. */
export function presentWritten(schedule: Schedule): WireSchedule {
  return presentSchedule({ ...schedule, lastReason: null })
}

function presentSchedule(schedule: Schedule): WireSchedule {
  const { teamPath, ownerKind, ownerId, ownerName, retryAt: _retryAt, retryReason: _retryReason, ...columns } = schedule
  return {
    ...toWire(columns),
    path: teamPath,
    identifier: identifierOf(schedule),
    variables: { ...schedule.variables },
    owner: { kind: ownerKind, id: ownerId, name: ownerName },
  }
}

export function identifierOf({ teamPath, name }: Pick<Schedule, 'teamPath' | 'name'>): string {
  return `${teamPath}/${name}`
}
