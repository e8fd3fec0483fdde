import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Queryable, teamPathsOf, withinPrefixes } from '#platform/database'
import type { DecidedFilter } from '#rooms/execution/runs'

/** In constants, as the partial index says it. What the end of the run withdrew nobody decided. */
const IS_DECIDED = sql<SqlBool>`status in ('approved', 'rejected', 'timed_out')`

/**
 * Ids of decided requests, the newest decision first: each team's newest are read from the index of teams and times, and
 * these are merged. So the cost grows with teams and page, not with decisions. The range keeps the planner from another index.
 */
export async function listDecidedIds(db: Queryable, filter: DecidedFilter): Promise<string[]> {
  if (filter.prefixes.length === 0) return []
  return (await decidedQuery(filter).execute(db)).rows.map(({ id }) => id)
}

/** The statement of `listDecidedIds`; a test reads its plan. */
export function decidedQuery({ prefixes, before, limit }: DecidedFilter): RawBuilder<{ readonly id: string }> {
  const older = before === undefined ? sql`true` : sql`(decided_at, id) < (${before.at}, ${before.id}::uuid)`
  return sql`
    with recursive ${teamPathsOf('approval_requests', prefixes, IS_DECIDED)}
    select newest.id from paths cross join lateral (
      select id, decided_at from approval_requests
      where team_path >= paths.path and team_path <= paths.path and ${IS_DECIDED} and ${older}
      order by team_path desc, decided_at desc, id desc limit ${limit}
    ) as newest
    order by newest.decided_at desc, newest.id desc limit ${limit}`
}

/** When the request was decided; undefined: there is none at and below these team paths, or it waits. */
export async function findDecisionTime(
  db: Queryable,
  id: string,
  prefixes: readonly string[],
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('approval_requests')
    .select('decided_at')
    .where('id', '=', id)
    .where(withinPrefixes('team_path', prefixes))
    .executeTakeFirst()
  return row?.decided_at ?? undefined
}
