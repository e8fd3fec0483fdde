import type { Backfill as WireBackfill } from '@signalbox/contracts/schedules'
import { type RequestOrigin, requirePermission } from '#platform/http'
import type { Means } from '../means.ts'
import * as store from '../store/backfills.ts'
import { type BackfillPath, describeBackfill, noBackfill, presentBackfill } from './find-backfill.ts'
import { getSchedule } from './find-schedule.ts'

/** It starts no more runs; those that it started go on. One that is over stays as it is. */
export async function cancelBackfill(
  means: Means,
  origin: RequestOrigin,
  { id, backfill_id: backfillId }: BackfillPath,
): Promise<WireBackfill> {
  const schedule = await getSchedule(means, origin.caller, id)
  requirePermission(origin.caller, 'run.cancel', schedule.teamPath)
  return means.database.transaction(async (tx) => {
    const before = await store.lockBackfill(tx, { id: backfillId, scheduleId: schedule.id })
    if (!before) throw noBackfill(backfillId)
    if (before.state !== 'running') return describeBackfill(means, tx, before)
    const at = means.clock.now()
    const after: store.Backfill = { ...before, state: 'canceled', finishedAt: at }
    await store.endPending(tx, before.id, { outcome: 'canceled', reason: null, at })
    await store.endBackfill(tx, before.id, { state: 'canceled', at })
    await means.audit.record(tx, {
      origin,
      action: 'schedule.backfill_canceled',
      resource: { kind: 'schedule', id: schedule.id },
      teamPath: schedule.teamPath,
      before: presentBackfill(before),
      after: presentBackfill(after),
    })
    return describeBackfill(means, tx, after)
  })
}
