import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** Runs that ended at `since` or later, by final status, at and below these team paths: one range of an index for each team. */
export async function countFinished(
  db: Queryable,
  prefixes: readonly string[],
  since: Date,
): Promise<Map<string, number>> {
  if (prefixes.length === 0) return new Map()
  const { rows } = await sql<{ status: string; count: number }>`
    ${teamsWithRuns(prefixes)}
    select ended.status, sum(ended.count)::bigint as count
    from paths cross join lateral (
      select status, count(*) as count from runs
      where team_path = paths.path and finished_at >= ${since} group by status
    ) as ended
    group by ended.status`.execute(db)
  return new Map(rows.map((row) => [row.status, row.count]))
}

export interface BrokenRow {
  readonly pipelineId: string
  readonly pipeline: string
  readonly runId: string
  readonly status: string
  readonly finishedAt: Date
  readonly lastGoodRunId: string | null
}

/** The newest failures that are looked at, in each team. */
const FAILURES = 500

/**
 * Pipelines whose newest ended run failed at `since` or later, where the run before it succeeded; the latest first. Canceled
 * runs say nothing about a pipeline, and are passed over.
 */
export async function listBroken(
  db: Queryable,
  prefixes: readonly string[],
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<BrokenRow[]> {
  if (prefixes.length === 0) return []
  const { rows } = await sql<BrokenRow>`
    ${teamsWithRuns(prefixes)}, failing as (
      select distinct failed.pipeline_id from paths cross join lateral (
        select pipeline_id from runs
        where team_path = paths.path and finished_at >= ${since} and status in ('failure', 'timed_out')
        order by finished_at desc limit ${FAILURES}
      ) as failed
    )
    select failing.pipeline_id as "pipelineId", newest.pipeline_identifier as pipeline, newest.id as "runId", newest.status,
      newest.finished_at as "finishedAt", before.id as "lastGoodRunId"
    from failing
    cross join lateral (${endedOf(sql`true`)}) as newest
    cross join lateral (${endedOf(sql`runs.id < newest.id`)}) as before
    where newest.status in ('failure', 'timed_out') and newest.finished_at >= ${since}
      and before.status in ('success', 'warning')
    order by newest.finished_at desc limit ${limit}`.execute(db)
  return rows
}

/** The newest run of a pipeline that has ended and was not canceled. */
function endedOf(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id, status, finished_at, pipeline_identifier from runs
    where pipeline_id = failing.pipeline_id and finished_at is not null and status <> 'canceled' and ${condition}
    order by id desc limit 1`
}

/**
 * Each team at and below the prefixes that has ended runs, found by a loose scan of the index of ended runs; '/' is
 * everywhere.
 */
function teamsWithRuns(prefixes: readonly string[]): RawBuilder<unknown> {
  const exact = [...new Set(prefixes)]
  return sql`
    with recursive ranges as (
      select case when prefix = '/' then '' else prefix || '/' end as low,
        case when prefix = '/' then '~' else prefix || '0' end as high
      from unnest(${exact}::text[]) as prefix
    ), below as (
      select low, high, (select team_path from runs where finished_at is not null and team_path >= low and team_path < high
        order by team_path limit 1) as path from ranges
      union all
      select low, high, (select team_path from runs where finished_at is not null and team_path > below.path and team_path < high
        order by team_path limit 1) from below where below.path is not null
    ), paths as (
      select unnest(${exact}::text[]) as path union select path from below where path is not null
    )`
}
