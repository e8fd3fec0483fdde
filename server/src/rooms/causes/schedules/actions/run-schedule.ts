import { fullRef } from '@signalbox/contracts/repository'
import { foreignKeyViolation, type Tx } from '#platform/database'
import { type Caller, ownerOf, type RequestOrigin, requirePermission } from '#platform/http'
import { scheduleProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { insertFires } from '../store/fires.ts'
import type { Schedule } from '../store/schedules.ts'
import { getSchedule, unknownSchedule } from './find-schedule.ts'
import { type ScheduledStart, scheduledRun } from './scheduled-run.ts'

/**
 * Starts a run now as the schedule would, on behalf of the caller: its next instant stays, and so do earlier runs, whatever
 * its overlap policy. With `queue_one` the next instant waits for it. Answers the id of the run. Throws not_found (404), forbidden (403), and run.not_startable and
 * schedule.invalid (400) where it cannot produce a run.
 */
export async function runSchedule(means: Means, origin: RequestOrigin, idOrIdentifier: string): Promise<string> {
  const { caller } = origin
  const schedule = await getSchedule(means, caller, idOrIdentifier)
  requirePermission(caller, 'run.start', schedule.teamPath)
  const { pipeline } = await means.runs.requireStart(means.database.kysely, caller, {
    pipeline: schedule.pipeline,
    scope: schedule.scope,
    variables: schedule.variables,
    namesRepository: schedule.repository !== null,
  })
  const initiator = ownerOf(caller)
  // Over the network: last, and before the transaction.
  const checkout = await findCheckout(means, caller, schedule, pipeline.teamPath)
  const start: ScheduledStart = { pipeline, checkout, scheduledAt: means.clock.now(), initiator }
  const id = means.ids.next()
  const work = (tx: Tx): Promise<void> => storeRun(means, tx, { origin, schedule, start, id })
  try {
    await means.database.transaction(work, { afterCommit: means.onRunsQueued })
  } catch (error) {
    // Deleted since it was read.
    if (foreignKeyViolation(error) === 'schedule_fires_schedule_id_fkey') throw unknownSchedule(idOrIdentifier)
    throw error
  }
  return id
}

async function findCheckout(
  means: Means,
  caller: Caller,
  { repository, ref: given }: Schedule,
  teamPath: string,
): Promise<ScheduledStart['checkout']> {
  const ref = fullRef(given)
  if (repository === null || ref === undefined) return undefined
  const found = await means.runs.findCheckout(caller, { repository, ref, teamPath })
  if (!('problem' in found)) return found
  const { field, problem } = found
  throw scheduleProblem('schedule.invalid', problem, { errors: [{ field, message: problem }] })
}

interface RequestedRun {
  readonly origin: RequestOrigin
  readonly schedule: Schedule
  readonly start: ScheduledStart
  readonly id: string
}

async function storeRun(means: Means, tx: Tx, { origin, schedule, start, id }: RequestedRun): Promise<void> {
  const { scheduledAt: now, pipeline } = start
  const run = scheduledRun(schedule, start)
  const concurrency = run.concurrency ? { ...run.concurrency, atOnce: true as const } : undefined
  await means.runs.queue(tx, [{ ...run, concurrency, id }])
  await insertFires(tx, [
    {
      id: means.ids.next(),
      scheduleId: schedule.id,
      pipeline: schedule.pipeline,
      kind: 'requested',
      backfillId: null,
      plannedAt: now,
      nominalAt: now,
      firedAt: now,
      outcome: 'started',
      runId: id,
      reason: null,
      missedCount: 1,
      missedUntil: null,
    },
  ])
  await means.audit.record(tx, {
    origin,
    action: 'schedule.run',
    resource: { kind: 'schedule', id: schedule.id },
    teamPath: schedule.teamPath,
    after: { run_id: id, pipeline: pipeline.identifier, version: pipeline.version, scope: schedule.scope },
  })
}
