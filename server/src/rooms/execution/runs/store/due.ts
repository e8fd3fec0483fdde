import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** Something whose time has come, and that no runner will tell. */
export interface DueRow {
  readonly kind: 'cancel' | 'run_deadline' | 'step_deadline' | 'retry' | 'lease'
  readonly run_id: string
  readonly step: string
  readonly task: string
  /** Of the attempt that is due (retry) or lost (lease). */
  readonly number: number
  readonly attempt_id: string | null
  readonly runner_id: string | null
  readonly reason: string | null
}

/** One round trip over five small partial indexes. */
export async function listDue(db: Queryable, now: Date, limit: number): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    (select 'cancel' as kind, id as run_id, '' as step, '' as task, 0 as number, null::uuid as attempt_id,
      null::uuid as runner_id, cancel_reason as reason
      from runs where cancel_requested_at is not null and finished_at is null and ending is null and status <> 'queued'
      limit ${limit})
    union all
    (select 'run_deadline', id, '', '', 0, null, null, null from runs
      where status = 'running' and deadline_at is not null and deadline_at <= ${now} and ending is null limit ${limit})
    union all
    (select 'step_deadline', run_id, step, '', 0, null, null, null from run_steps
      where status = 'running' and deadline_at is not null and deadline_at <= ${now} and timed_out is null limit ${limit})
    union all
    (select 'retry', run_id, step, task, attempt + 1, null, null, null from run_tasks
      where retry_at is not null and retry_at <= ${now} order by retry_at limit ${limit})
    union all
    (select 'lease', run_id, step, task, number, id, runner_id, null from attempts
      where status = 'leased' and lease_expires_at <= ${now} order by lease_expires_at limit ${limit})`.execute(db)
  return rows
}
