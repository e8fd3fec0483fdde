import type { Owner } from '@signalbox/contracts/http'
import { branchOf, fullRef } from '@signalbox/contracts/repository'
import type { FoundCheckout, NewRun } from '#rooms/execution/runs'
import type { Schedule } from '../store/schedules.ts'

export interface ScheduledStart {
  readonly pipeline: NewRun['pipeline'] & { readonly checksOut: boolean }
  /** Of a schedule that names a repository. */
  readonly checkout: FoundCheckout | undefined
  /** The instant that the expression names. */
  readonly scheduledAt: Date
  readonly initiator: Owner
}

const EMPTY = 'No repository: tasks start in an empty folder.'

/** The run of one instant. */
export function scheduledRun(schedule: Schedule, start: ScheduledStart): NewRun {
  const { pipeline, checkout, scheduledAt, initiator } = start
  const ref = fullRef(schedule.ref)
  return {
    pipeline,
    scope: schedule.scope,
    cause: 'schedule',
    initiator,
    variables: schedule.variables,
    scheduleId: schedule.id,
    scheduledAt,
    runTeamPath: schedule.runTeamPath ?? undefined,
    repository: schedule.repository ?? undefined,
    ref,
    branch: branchOf(ref),
    cloneUrl: checkout?.cloneUrl,
    commitSha: checkout?.commitSha,
    checkoutCredentialRef: checkout?.checkoutCredentialRef ?? undefined,
    note: pipeline.checksOut && !checkout ? EMPTY : undefined,
    // Whoever has a group of their own keeps it: its other runs must not meet those of the schedule.
    concurrency: schedule.overlapPolicy === 'queue_one' && !pipeline.concurrency ? inLine(schedule.id) : undefined,
  }
}

/** The next one begins when the one before has finished. */
function inLine(scheduleId: string): NewRun['concurrency'] {
  return { group: `schedule ${scheduleId}`, onConflict: 'queue', ancestors: [], occurredAt: null }
}
