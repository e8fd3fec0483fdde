import { sql } from 'kysely'
import { type Queryable, withinPrefixes } from '#platform/database'

export interface ScheduleCounts {
  readonly enabled: number
  readonly disabled: number
  /** Enabled, and started nothing at the last instant because it could not. */
  readonly failing: number
}

export async function countSchedules(db: Queryable, prefixes: readonly string[]): Promise<ScheduleCounts> {
  const { rows } = await sql<ScheduleCounts>`
    select count(*) filter (where enabled) as enabled, count(*) filter (where not enabled) as disabled,
      count(*) filter (where enabled and (retry_reason is not null or last_outcome in ('denied', 'invalid'))) as failing
    from schedules where ${withinPrefixes('team_path', prefixes)}`.execute(db)
  return rows[0] ?? { enabled: 0, disabled: 0, failing: 0 }
}

export interface UpcomingFire {
  readonly id: string
  readonly teamPath: string
  readonly name: string
  readonly nextFireAt: Date
}

/** The schedules that fire next, soonest first. */
export async function listNextFires(
  db: Queryable,
  prefixes: readonly string[],
  limit: number,
): Promise<UpcomingFire[]> {
  const { rows } = await sql<UpcomingFire>`
    select id, team_path as "teamPath", name, coalesce(retry_at, next_fire_at) as "nextFireAt"
    from schedules where next_fire_at is not null and ${withinPrefixes('team_path', prefixes)}
    order by coalesce(retry_at, next_fire_at), id limit ${limit}`.execute(db)
  return rows
}
