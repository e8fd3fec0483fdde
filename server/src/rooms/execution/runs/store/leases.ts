import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** An attempt that a runner has in hand, with what its run says of itself. */
export interface LeaseRow {
  readonly run_id: string
  readonly pipeline: string
  readonly team_path: string
  readonly scope: string
  readonly step: string
  readonly task: string
  readonly number: number
  readonly leased_at: Date
  readonly started_at: Date | null
  readonly cancel_requested_at: Date | null
}

/** What a runner has in hand now, the oldest first; by the index of leased attempts. */
export async function listLeases(db: Queryable, runnerId: string): Promise<LeaseRow[]> {
  const { rows } = await sql<LeaseRow>`
    select attempts.run_id, runs.pipeline_identifier as pipeline, runs.team_path, attempts.scope, attempts.step,
      attempts.task, attempts.number, coalesce(attempts.leased_at, attempts.created_at) as leased_at,
      attempts.started_at, attempts.cancel_requested_at
    from attempts join runs on runs.id = attempts.run_id
    where attempts.runner_id = ${runnerId} and attempts.status = 'leased'
    order by leased_at, attempts.id`.execute(db)
  return rows
}
