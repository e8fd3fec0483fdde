import { execute, type Queryable, type Tx } from '#platform/database'
import type { Means } from '../means.ts'
import { findSourceId } from '../store/commit-statuses.ts'
import { reporting } from '../store/report-jobs.ts'
import { findSource } from '../store/sources.ts'

/** For the transaction that starts what the repository of a delivery decided. */
export async function reportStarts(
  means: Means,
  tx: Tx,
  started: { readonly deliveryRecordId: string; readonly runIds: readonly string[] },
): Promise<void> {
  if (started.runIds.length === 0 || !(await reports(tx, started.deliveryRecordId))) return
  await execute(tx, reporting(means, started.runIds))
}

/** A run that a delivery started, or that repeats one, stands elsewhere than before. */
export async function reportMoved(means: Means, runId: string): Promise<void> {
  const db = means.database.kysely
  const run = await means.runs.findStanding(db, runId)
  if (!run || run.deliveryRecordId === null || !(await reports(db, run.deliveryRecordId))) return
  await execute(db, reporting(means, [runId]))
}

async function reports(db: Queryable, deliveryRecordId: string): Promise<boolean> {
  const sourceId = await findSourceId(db, deliveryRecordId)
  const source = sourceId === undefined ? undefined : await findSource(db, sourceId)
  return source?.reportStatus ?? false
}
