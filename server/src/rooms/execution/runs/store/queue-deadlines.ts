import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'
import type { RunRow } from './run-columns.ts'

/** A run that waited for a runner as long as its pipeline lets it. */
export interface OverdueRow {
  readonly id: string
  readonly team_path: string
  readonly scope: string
  readonly requirement: RunRow['requirement']
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

/** Ends a run that still waits for a runner. False: somebody has begun or ended it. */
export async function timeOutQueued(tx: Tx, id: string, reason: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      update runs set status = 'timed_out', reason = ${reason}, finished_at = ${at}, revision = revision + 1
      where id = ${id} and status = 'queued' and withheld is null and queue_deadline_at <= ${at}
      returning id, concurrency_group
    )
    select pg_notify('run_changed', id::text),
      case when concurrency_group is not null then pg_notify('runs_group_left', '') end
    from ended`.execute(tx)
  return rows.length > 0
}
