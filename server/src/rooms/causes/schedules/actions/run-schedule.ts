import { ownerOf, type RequestOrigin, requirePermission } from '#platform/http'
import { scheduleProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { insertFires } from '../store/fires.ts'
import { findScheduledCheckout } from './find-checkout.ts'
import { getSchedule } from './find-schedule.ts'
import { scheduledRun } from './scheduled-run.ts'

/** Starts a run now as the schedule would, on behalf of the caller; its next instant stays. Answers the id of the run. */
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
  const found = await findScheduledCheckout(means, schedule, { owner: initiator, teamPath: pipeline.teamPath })
  if ('problem' in found) {
    throw scheduleProblem('schedule.invalid', found.problem, { errors: [{ field: 'ref', message: found.problem }] })
  }
  const { checkout } = found
  const now = means.clock.now()
  const id = means.ids.next()
  const run = {
    ...scheduledRun(schedule, { pipeline, checkout, scheduledAt: now, initiator }),
    concurrency: undefined,
    id,
  }
  const work = async (tx: Parameters<typeof insertFires>[0]): Promise<void> => {
    await means.runs.queue(tx, [run])
    await insertFires(tx, [
      {
        id: means.ids.next(),
        scheduleId: schedule.id,
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
      after: { run_id: id, pipeline: schedule.pipeline, scope: schedule.scope },
    })
  }
  await means.database.transaction(work, { afterCommit: means.onRunsQueued })
  return id
}
