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

export function ownerOfSchedule({ ownerKind, ownerId, ownerName }: Schedule): Owner {
  return { kind: ownerKind, id: ownerId, name: ownerName }
}
