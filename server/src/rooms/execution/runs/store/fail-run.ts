import { sql } from 'kysely'
import type { Tx } from '#platform/database'

export interface FailWish {
  readonly id: string
  readonly reason: string
  /** Only while it waits for its turn in a group. */
  readonly ifWithheld: boolean
}

/** A run that was ended by force, as its fact tells it, with the attempts that runners still have. */
export interface FailedRow {
  readonly pipeline_id: string
  readonly pipeline: string
  readonly team_path: string
  readonly scope: string
  readonly cause: string
  readonly in_group: boolean
  readonly queued_at: Date
  readonly started_at: Date | null
  readonly held: readonly { readonly fence: number; readonly runnerId: string }[]
  /** Runs that its tasks wanted and that have not finished. */
  readonly children: readonly string[]
}

/**
 * Ends a run in any state, withheld or not, without the engine, which may be the part that fails. The run's attempts lose
 * their leases, and its open steps and tasks stay open for ever. Undefined: the run is over or does not exist.
 */
export async function failRun(tx: Tx, { id, reason, ifWithheld }: FailWish, at: Date): Promise<FailedRow | undefined> {
  const { rows } = await sql<FailedRow>`
    with failed as (
      update runs set status = 'failure', reason = ${reason}, finished_at = ${at}, paused_at = null,
        revision = revision + 1
      where id = ${id} and finished_at is null and (not ${ifWithheld}::boolean or withheld = 'group')
      returning *
    ), steps as (
      update run_steps set status = case when run_steps.started_at is null then 'skipped' else 'canceled' end,
        finished_at = ${at}
      from failed where run_id = failed.id and run_steps.finished_at is null
    ), tasks as (
      update run_tasks set status = case when run_tasks.started_at is null then 'skipped' else 'canceled' end,
        finished_at = ${at}, retry_at = null
      from failed where run_id = failed.id and run_tasks.finished_at is null
    ), before as (
      select attempts.id, fence, runner_id, attempts.status, child_run_id
      from attempts join failed on failed.id = attempts.run_id where attempts.finished_at is null
    ), ended as (
      update attempts set status = 'canceled', reason = ${reason}, finished_at = ${at}
      from before where attempts.id = before.id
    )
    select pipeline_id, pipeline_identifier as pipeline, team_path, scope, cause,
      concurrency_group is not null as in_group, queued_at, started_at,
      (select coalesce(jsonb_agg(jsonb_build_object('fence', fence, 'runnerId', runner_id)), '[]')
        from before where status = 'leased') as held,
      (select coalesce(jsonb_agg(child_run_id), '[]') from before where status = 'child') as children
    from failed, lateral pg_notify('run_changed', failed.id::text),
      lateral (
        select case when withheld = 'fork_approval' then pg_notify('approval_changed', 'gone ' || failed.id || ' fork') end
      ) as told,
      lateral (select count(pg_notify('runner_leases', runner_id::text)) from before where status = 'leased') as freed`.execute(
    tx,
  )
  return rows[0]
}
