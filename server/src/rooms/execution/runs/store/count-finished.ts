import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** The teams at and below these paths that have ended runs. */
export async function listTeamsWithEnds(db: Queryable, prefixes: readonly string[]): Promise<readonly string[]> {
  if (prefixes.length === 0) return []
  const { rows } = await sql<{ path: string }>`${teamsWithRuns(prefixes)} select path from paths`.execute(db)
  return rows.map(({ path }) => path)
}

/** Some time of one team, without the instant `to`. */
export interface Span {
  readonly teamPath: string
  readonly from: Date
  readonly to: Date
}

/** The runs that ended within each span, by final status, in the order of the spans: a range of an index each. */
export async function countEnded(
  db: Queryable,
  spans: readonly Span[],
): Promise<readonly ReadonlyMap<string, number>[]> {
  if (spans.length === 0) return []
  const { rows } = await sql<{ place: number; status: string; count: number }>`
    select place, ended.status, ended.count
    from unnest(${spans.map(({ teamPath }) => teamPath)}::text[], ${spans.map(({ from }) => from)}::timestamptz[],
      ${spans.map(({ to }) => to)}::timestamptz[]) with ordinality as spans(team_path, low, high, place)
    cross join lateral (
      select status, count(*) as count from runs
      where team_path = spans.team_path and finished_at >= low and finished_at < high group by status
    ) as ended`.execute(db)
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return spans.map((_, at) => new Map((byPlace.get(at + 1) ?? []).map(({ status, count }) => [status, count])))
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
