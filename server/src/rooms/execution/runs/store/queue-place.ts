import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { Share, TeamTurn } from '../rules/turns.ts'

export interface Queued {
  readonly id: string
  readonly lane: string
  readonly team_path: string
  readonly priority: number
}

/**
 * How many runs of its own team and lane begin before it, counted up to `limit`: of so many that stand first. In the order
 * of the queue's index, so that no other one is taken for it.
 */
export async function countAhead(
  db: Queryable,
  { id, lane, team_path, priority }: Queued,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select id, priority from runs where status = 'queued' and withheld is null and lane = ${lane}
        and team_path = ${team_path} order by priority desc, id limit ${limit}
    ) as first where priority > ${priority} or priority = ${priority} and id < ${id}`.execute(db)
  return rows[0]?.count ?? 0
}

/** How many runs these shares of a lane's queue hold, counted up to `limit`: what it costs is what it answers. */
export async function countShares(
  db: Queryable,
  lane: string,
  shares: readonly Share[],
  limit: number,
): Promise<number> {
  if (shares.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from json_to_recordset(${JSON.stringify(shares)}::json) as share(teams text[], most bigint)
      cross join lateral (
        select from unnest(share.teams) as team(path) cross join lateral (
          select from runs where status = 'queued' and withheld is null and lane = ${lane} and team_path = team.path
          order by priority desc, id limit share.most
        ) as of_team
        limit share.most
      ) as of_share
      limit ${limit}
    ) as before`.execute(db)
  return rows[0]?.count ?? 0
}

/** The turn of each team that has something in the queue of a lane. Teams are found by a loose index scan. */
export async function listTeamTurns(db: Queryable, lane: string): Promise<TeamTurn[]> {
  const { rows } = await sql<TeamTurn>`
    with recursive heads as (
      (select team_path from runs where status = 'queued' and withheld is null and lane = ${lane}
        order by team_path limit 1)
      union all
      select (select runs.team_path from runs where status = 'queued' and withheld is null and lane = ${lane}
        and runs.team_path > heads.team_path order by runs.team_path limit 1)
      from heads where heads.team_path is not null
    )
    select heads.team_path,
      (select id from runs where status = 'queued' and withheld is null and lane = ${lane}
        and runs.team_path = heads.team_path order by priority desc, id limit 1) as head,
      (select started_at from runs where lane = ${lane} and runs.team_path = heads.team_path
        and started_at is not null order by started_at desc limit 1) as served_at
    from heads where heads.team_path is not null`.execute(db)
  return rows
}

/** When the last runs of a lane began, newest first: the last of each team that ever began one there, by a loose index scan. */
export async function listStarts(db: Queryable, lane: string, since: Date, limit: number): Promise<Date[]> {
  const { rows } = await sql<{ started_at: Date }>`
    with recursive heads as (
      (select team_path from runs where lane = ${lane} and started_at is not null order by team_path limit 1)
      union all
      select (select runs.team_path from runs where lane = ${lane} and started_at is not null
        and runs.team_path > heads.team_path order by runs.team_path limit 1)
      from heads where heads.team_path is not null
    )
    select last.started_at from heads cross join lateral (
      select started_at from runs where lane = ${lane} and runs.team_path = heads.team_path and started_at >= ${since}
      order by started_at desc limit ${limit}
    ) as last
    order by started_at desc limit ${limit}`.execute(db)
  return rows.map((row) => row.started_at)
}

/** The attempts of a run that wait for a runner, and what each asks of one. */
export function listWaiting(db: Queryable, runId: string) {
  return db
    .selectFrom('attempts')
    .select(['step', 'task', 'scope', 'requirement', 'lane'])
    .where('run_id', '=', runId)
    .where('status', '=', 'waiting')
    .execute()
}

export interface StoredPin {
  readonly step: string | null
  readonly task: string | null
  readonly revision_id: string
}

/** The pins of the run come first, then those of steps and tasks in the order in which they began. */
export function listPins(db: Queryable, runId: string): Promise<StoredPin[]> {
  return db
    .selectFrom('run_pins')
    .select(['step', 'task', 'revision_id'])
    .where('run_id', '=', runId)
    .orderBy('pinned_at')
    .orderBy('step', (order) => order.asc().nullsFirst())
    .orderBy('task', (order) => order.asc().nullsFirst())
    .execute()
}
