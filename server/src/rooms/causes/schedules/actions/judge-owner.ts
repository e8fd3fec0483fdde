import type { Owner } from '@signalbox/contracts/http'
import type { JudgedStart } from '#rooms/execution/runs'
import type { Means } from '../means.ts'
import type { Schedule } from '../store/schedules.ts'

/** Whether somebody may start what the schedule starts, as of now: rights may have ended since it was written. */
export async function judgeOwner(means: Means, schedule: Schedule, owner: Owner): Promise<JudgedStart> {
  const subject = await means.access.subject(owner.kind, owner.id)
  return means.runs.judgeStart(subject, owner.name, {
    pipeline: schedule.pipeline,
    scope: schedule.scope,
    variables: schedule.variables,
    namesRepository: schedule.repository !== null,
  })
}

export type OwnerJudge = (schedule: Schedule) => Promise<JudgedStart>

/**
 * Asks about owners, once for all schedules that start the same on behalf of the same: thousands may be due together.
 * For one look at what is due: rights that end later are those of the next look.
 */
export function createOwnerJudge(means: Means): OwnerJudge {
  const asked = new Map<string, Promise<JudgedStart>>()
  return (schedule) => {
    const owner = ownerOfSchedule(schedule)
    const { pipeline, scope, variables, repository } = schedule
    const names = Object.keys(variables).sort()
    const key = JSON.stringify([owner.kind, owner.id, owner.name, pipeline, scope, names, repository !== null])
    const answer = asked.get(key) ?? judgeOwner(means, schedule, owner)
    asked.set(key, answer)
    return answer
  }
}

export function ownerOfSchedule({ ownerKind, ownerId, ownerName }: Schedule): Owner {
  return { kind: ownerKind, id: ownerId, name: ownerName }
}
