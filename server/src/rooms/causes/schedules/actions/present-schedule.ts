import type { Schedule as WireSchedule } from '@signalbox/contracts/schedules'
import { type Caller, toWire } from '#platform/http'
import type { Means } from '../means.ts'
import type { Schedule } from '../store/schedules.ts'
import { tellVisible } from './tell-visible.ts'

/** To wire, as the reader may see it. */
export async function presentFor(means: Presenting, caller: Caller, schedule: Schedule): Promise<WireSchedule> {
  const [shown] = await presentAllFor(means, caller, [schedule])
  if (!shown) throw new Error(`The schedule ${schedule.id} was not presented`)
  return shown
}

type Presenting = Pick<Means, 'runs' | 'database'>

export async function presentAllFor(
  means: Presenting,
  caller: Caller,
  schedules: readonly Schedule[],
): Promise<WireSchedule[]> {
  const last = schedules.map((schedule) => {
    const { pipeline, lastOutcome: outcome, lastReason: reason, lastRunId: runId } = schedule
    return { schedule, pipeline, outcome, reason, runId }
  })
  const told = await tellVisible(means, caller, last)
  return told.map(({ schedule, reason, runId }) =>
    presentSchedule({ ...schedule, lastReason: reason, lastRunId: runId }),
  )
}

/** What audit records show before and after: what people wrote, without what became of it. */
export function presentWritten(schedule: Schedule): WireSchedule {
  return presentSchedule({ ...schedule, lastReason: null, lastRunId: null })
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
