import { type RawBuilder, sql } from 'kysely'
import { type Queryable, withinPrefixes } from '#platform/database'

/** Some time of one team, without the instant `to`. */
export interface Span {
  readonly teamPath: string
  readonly from: Date
  readonly to: Date
}

/** What ended within a span. */
export interface Ended {
  /** Runs by final status. */
  readonly counts: ReadonlyMap<string, number>
  /** The pipelines that failed, as many as are looked at. */
  readonly failed: readonly string[]
}

/** The pipelines that are looked at for what broke, in each span. */
const FAILURES = 500

/** In the order of the spans: a range of an index each. */
export async function countEnded(db: Queryable, spans: readonly Span[]): Promise<readonly Ended[]> {
  if (spans.length === 0) return []
  const { rows } = await sql<{ place: number; status: string; count: number; failed: string[] | null }>`
    select place, ended.status, ended.count, ended.failed
    from ${unnestSpans(spans)}
    cross join lateral (
      select status, sum(count)::bigint as count,
        (array_agg(pipeline_id order by latest desc) filter (where status in ('failure', 'timed_out')))[1:${sql.lit(FAILURES)}]
          as failed
      from (
        select status, pipeline_id, count(*) as count, max(finished_at) as latest from runs
        where team_path = spans.team_path and finished_at >= low and finished_at < high group by status, pipeline_id
      ) as by_pipeline
      group by status
    ) as ended`.execute(db)
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return spans.map((_, at) => {
    const found = byPlace.get(at + 1) ?? []
    return {
      counts: new Map(found.map(({ status, count }) => [status, count])),
      failed: found.flatMap(({ failed }) => failed ?? []),
    }
  })
}

/** The pipelines of the newest failures within each span, in the order of the spans. */
export async function listFailed(db: Queryable, spans: readonly Span[]): Promise<readonly (readonly string[])[]> {
  if (spans.length === 0) return []
  const { rows } = await sql<{ place: number; pipelineId: string }>`
    select distinct place, failed.pipeline_id as "pipelineId"
    from ${unnestSpans(spans)}
    cross join lateral (
      select pipeline_id from runs
      where team_path = spans.team_path and finished_at >= low and finished_at < high
        and status in ('failure', 'timed_out')
      order by finished_at desc limit ${FAILURES}
    ) as failed`.execute(db)
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return spans.map((_, at) => (byPlace.get(at + 1) ?? []).map(({ pipelineId }) => pipelineId))
}

function unnestSpans(spans: readonly Span[]): RawBuilder<unknown> {
  return sql`unnest(${spans.map(({ teamPath }) => teamPath)}::text[], ${spans.map(({ from }) => from)}::timestamptz[],
    ${spans.map(({ to }) => to)}::timestamptz[]) with ordinality as spans(team_path, low, high, place)`
}

export interface BrokenRow {
  readonly pipelineId: string
  readonly pipeline: string
  readonly runId: string
  readonly status: string
  readonly finishedAt: Date
  readonly lastGoodRunId: string | null
}

/**
 * Those of the pipelines, within the prefixes, whose newest ended run failed at `since` or later, where the run before it
 * succeeded; the latest first. Canceled runs say nothing about a pipeline, and are passed over.
 */
export async function listBroken(
  db: Queryable,
  pipelineIds: readonly string[],
  { prefixes, since, limit }: { readonly prefixes: readonly string[]; readonly since: Date; readonly limit: number },
): Promise<readonly BrokenRow[]> {
  if (pipelineIds.length === 0) return []
  const { rows } = await sql<BrokenRow>`
    select failing.pipeline_id as "pipelineId", newest.pipeline_identifier as pipeline, newest.id as "runId", newest.status,
      newest.finished_at as "finishedAt", before.id as "lastGoodRunId"
    from unnest(${pipelineIds}::uuid[]) as failing(pipeline_id)
    cross join lateral (${endedOf(sql`true`)}) as newest
    cross join lateral (${endedOf(sql`runs.id < newest.id`)}) as before
    where newest.status in ('failure', 'timed_out') and newest.finished_at >= ${since}
      and before.status in ('success', 'warning') and ${withinPrefixes('newest.team_path', prefixes)}
    order by newest.finished_at desc limit ${limit}`.execute(db)
  return rows
}

/** The newest run of a pipeline that has ended and was not canceled. */
function endedOf(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id, team_path, status, finished_at, pipeline_identifier from runs
    where pipeline_id = failing.pipeline_id and finished_at is not null and status <> 'canceled' and ${condition}
    order by id desc limit 1`
}

/**
 * Each team at and below the paths that has ended runs, found by a loose scan of the index of ended runs; '/' is
 * everywhere.
 */
export async function listTeamsWithEnds(db: Queryable, prefixes: readonly string[]): Promise<readonly string[]> {
  if (prefixes.length === 0) return []
  const exact = [...new Set(prefixes)]
  const { rows } = await sql<{ path: string }>`
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
    )
    select unnest(${exact}::text[]) as path union select path from below where path is not null`.execute(db)
  return rows.map(({ path }) => path)
}
