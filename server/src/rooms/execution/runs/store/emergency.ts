import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** A run in flight, as an emergency asks for it. */
export interface FlyingRow {
  readonly id: string
  readonly scope: string
  readonly team_path: string
  readonly pipeline_version_id: string
}

export interface FlyingFilter {
  /** Id of the last run of the page before. */
  readonly after: string | null
  readonly begunBefore: Date
  readonly limit: number
}

/** Runs that have begun and are not being ended, by id. By the index of runs in flight. */
export async function listInFlight(db: Queryable, filter: FlyingFilter): Promise<FlyingRow[]> {
  const { after, begunBefore, limit } = filter
  const { rows } = await sql<FlyingRow>`
    select id, scope, team_path, pipeline_version_id from runs
    where status in ('running', 'paused') and cancel_requested_at is null
      and started_at <= ${begunBefore} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(db)
  return rows
}
