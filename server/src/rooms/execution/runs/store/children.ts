import { sql } from 'kysely'
import type { Queryable, Tx } from '#platform/database'

/** Why an attempt whose task took too long is asked to end. */
export const TASK_TIME_OVER = 'the time limit of the task is over'

/** A run of another pipeline that has ended, and the attempt that it was made for. */
export interface EndedChildRow {
  readonly attempt_id: string
  readonly run_id: string
  readonly step: string
  readonly task: string
  readonly number: number
  readonly child_run_id: string
  readonly status: string
  readonly reason: string | null
  /** Null: the attempt was not asked to end. */
  readonly cancel_reason: string | null
  /** The child was canceled because its time was over. */
  readonly late: boolean
}

/** Ended children with final outputs that are made, or cannot be made. Found by the index of attempts with a child. */
export async function listEndedChildren(db: Queryable, limit: number): Promise<EndedChildRow[]> {
  const { rows } = await sql<EndedChildRow>`
    select attempts.id as attempt_id, attempts.run_id, step, task, number, child_run_id, runs.status, runs.reason,
      case when attempts.cancel_requested_at is not null then coalesce(attempts.cancel_reason, 'canceled') end
        as cancel_reason, coalesce(attempts.cancel_reason = ${TASK_TIME_OVER}, false) as late
    from attempts join runs on runs.id = attempts.child_run_id
    where attempts.status = 'child' and runs.finished_at is not null and runs.final_output_status <> 'pending'
    limit ${limit}`.execute(db)
  return rows
}

/** Asks the attempts of tasks whose time is over to end; answers the runs that they wait for. */
export async function endLateAttempts(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ child_run_id: string }>`
    update attempts set cancel_requested_at = ${now}, cancel_reason = ${TASK_TIME_OVER}
    where status = 'child' and deadline_at is not null and deadline_at <= ${now} and cancel_requested_at is null
    returning child_run_id`.execute(tx)
  return rows.map((row) => row.child_run_id)
}

/** A run with those above and below it. */
export interface FamilyRow {
  /** How many are below the topmost one; counted no further than was asked. */
  readonly below: number
  /** The groups of the run itself and of those above it. */
  readonly groups: readonly { readonly id: string; readonly teamPath: string; readonly group: string }[]
}

/** By the primary key upwards and by the index of children downwards. */
export async function readFamily(db: Queryable, runId: string, most: number): Promise<FamilyRow> {
  const { rows } = await sql<FamilyRow>`
    with recursive above as (
      select id, parent_run_id, team_path, concurrency_group from runs where id = ${runId}
      union all
      select runs.id, runs.parent_run_id, runs.team_path, runs.concurrency_group
      from runs join above on runs.id = above.parent_run_id
    ), below as (
      select runs.id from runs join above on runs.parent_run_id = above.id where above.parent_run_id is null
      union all
      select runs.id from runs join below on runs.parent_run_id = below.id
    )
    select (select count(*)::integer from (select from below limit ${most}) as counted) as below,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'teamPath', team_path, 'group', concurrency_group)), '[]')
        from above where concurrency_group is not null) as groups`.execute(db)
  return rows[0] ?? { below: 0, groups: [] }
}
