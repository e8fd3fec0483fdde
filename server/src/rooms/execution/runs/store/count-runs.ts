import { sql } from 'kysely'
import { type Queryable, withinPrefixes } from '#platform/database'

/** Attempts in hand, by runner. */
export async function countLeased(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await sql<{ runner_id: string; count: number }>`
    select runner_id, count(*) as count from attempts where status = 'leased' group by runner_id`.execute(db)
  return new Map(rows.map((row) => [row.runner_id, row.count]))
}

/** Runs that have not finished, by status, at and below these team paths; partial indexes hold exactly these runs. */
export async function countByStatus(db: Queryable, prefixes: readonly string[]): Promise<Map<string, number>> {
  const visible = withinPrefixes('team_path', prefixes)
  const { rows } = await sql<{ status: string; count: number }>`
    select 'queued' as status, count(*) as count from runs
      where status = 'queued' and (withheld is null or withheld is not null) and ${visible}
    union all
    select status, count(*) from runs where status in ('running', 'paused') and ${visible} group by status`.execute(db)
  return new Map(rows.map((row) => [row.status, row.count]))
}
