import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

/** A run that waited for a runner as long as its pipeline lets it. */
export interface OverdueRow {
  readonly id: string
  readonly team_path: string
  readonly scope: string
  readonly requirement: unknown
  readonly queue_timeout_ms: number
  readonly cause: string
}

export async function listOverdue(db: Queryable, now: Date, limit: number): Promise<OverdueRow[]> {
  const { rows } = await sql<OverdueRow>`
    select id, team_path, scope, requirement, queue_timeout_ms, cause from runs
    where status = 'queued' and withheld is null and queue_deadline_at is not null and queue_deadline_at <= ${now}
    order by queue_deadline_at limit ${limit}`.execute(db)
  return rows
}

/** Ends a run that still waits, and tells its fact. False: somebody has begun or ended it. `telling`: of run.finished. */
export async function timeOutQueued(tx: Tx, id: string, reason: string, at: Date, telling: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select time_out_queued_run(${id}, ${reason}, ${at}, ${telling}::jsonb) as ended`.execute(tx)
  return rows[0]?.ended ?? false
}
