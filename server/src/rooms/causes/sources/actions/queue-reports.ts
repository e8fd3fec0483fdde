import { execute, type Queryable, type Statement, type Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import { findSourceId } from '../store/commit-statuses.ts'
import { findSource } from '../store/sources.ts'
import type { DeliveryEntry } from './commit-deliveries.ts'

/** Tells a provider where a run stands. Its payload is `StatusReport`. */
export const REPORT_JOB = 'sources.report-status'

export interface StatusReport {
  readonly runId: string
  /** RFC 3339: when there was first something to tell. Decides how long it is tried. */
  readonly since: string
}

/** The jobs that tell of runs just queued, keyed by run: a later one replaces one that has not begun. */
export function reporting(kit: Kit, runIds: readonly string[]): Statement {
  const since = kit.clock.now().toISOString()
  return kit.jobs.adding(
    REPORT_JOB,
    runIds.map((runId): { key: string; payload: StatusReport } => ({ key: runId, payload: { runId, since } })),
  )
}

/** For the transaction that stores deliveries and queues their runs. */
export function reportingStarts(kit: Kit, entries: readonly DeliveryEntry[]): readonly Statement[] {
  const runIds = entries
    .filter((entry) => entry.reportsStatus)
    .flatMap((entry) => entry.plans.flatMap((plan) => plan.starts.map((start) => start.run.id)))
  return runIds.length === 0 ? [] : [reporting(kit, runIds)]
}

/** For the transaction that starts what the repository of a delivery decided. */
export async function reportStarts(
  kit: Kit,
  tx: Tx,
  started: { readonly deliveryRecordId: string; readonly runIds: readonly string[] },
): Promise<void> {
  if (started.runIds.length === 0 || !(await reports(tx, started.deliveryRecordId))) return
  await execute(tx, reporting(kit, started.runIds))
}

/** A run that a delivery started, or that repeats one, stands elsewhere than before. */
export async function reportMoved(kit: Kit, runs: Pick<Runs, 'findStanding'>, runId: string): Promise<void> {
  const db = kit.database.kysely
  const run = await runs.findStanding(db, runId)
  if (!run || run.deliveryRecordId === null || !(await reports(db, run.deliveryRecordId))) return
  await execute(db, reporting(kit, [runId]))
}

async function reports(db: Queryable, deliveryRecordId: string): Promise<boolean> {
  const sourceId = await findSourceId(db, deliveryRecordId)
  const source = sourceId === undefined ? undefined : await findSource(db, sourceId)
  return source?.reportStatus ?? false
}
