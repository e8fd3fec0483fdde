import type { Schedule as WireSchedule } from '@signalbox/contracts/schedules'
import { toWire } from '#platform/http'
import type { Schedule } from '../store/schedules.ts'

/** To wire; also what audit records show before and after. */
export function presentSchedule(schedule: Schedule): WireSchedule {
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
