import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import { DETAIL, type DetailRow, type RunStatusRow, STANDING, SUMMARY, type SummaryRow } from './run-columns.ts'

const COLUMNS = sql.raw(SUMMARY.join(', '))

export interface RunFilter {
  /** Team paths at and below which runs are visible; '/' is everywhere. */
  readonly prefixes: readonly string[]
  readonly branch: string | undefined
  readonly status: string | undefined
  readonly pipelineId: string | undefined
  /** The first characters of one, in lower case. */
  readonly commit: string | undefined
  readonly scope: string | undefined
  readonly repository: string | undefined
  /** Queued at that time or later, and before that time: ids are made then, and are in its order. */
  readonly since: Date | undefined
  readonly until: Date | undefined
  readonly before: string | undefined
  readonly limit: number
}

/**
 * Newest first. A caller who sees everything reads the primary key, or the index of the filter, backwards. For other callers
 * a loose index scan finds each team path with runs, reads its newest runs, and the pages are merged. The cost grows with
 * teams and page, not with runs.
 */
export async function listRuns(db: Queryable, filter: RunFilter): Promise<SummaryRow[]> {
  if (filter.prefixes.length === 0) return []
  const matches = conditions(filter)
  if (filter.prefixes.includes('/')) {
    const { rows } = await sql<SummaryRow>`
      select ${COLUMNS} from runs where ${matches} order by id desc limit ${filter.limit}`.execute(db)
    return rows
  }
  const exact = [...new Set(filter.prefixes)]
  const { rows } = await sql<SummaryRow>`
    with recursive ranges as (
      select prefix || '/' as low, prefix || '0' as high from unnest(${exact}::text[]) as prefix
    ), below as (
      select low, high, (select team_path from runs where team_path >= low and team_path < high
        order by team_path limit 1) as path from ranges
      union all
      select low, high, (select team_path from runs where team_path > below.path and team_path < high
        order by team_path limit 1) from below where below.path is not null
    ), paths as (
      select unnest(${exact}::text[]) as path union select path from below where path is not null
    )
    select newest.* from paths cross join lateral (
      select ${COLUMNS} from runs where team_path = paths.path and ${matches} order by id desc limit ${filter.limit}
    ) as newest
    order by newest.id desc limit ${filter.limit}`.execute(db)
  return rows
}

function conditions(filter: RunFilter): RawBuilder<SqlBool> {
  const parts: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`]
  if (filter.branch !== undefined) parts.push(sql<SqlBool>`branch = ${filter.branch}`)
  if (filter.status !== undefined) parts.push(hasStatus(filter.status))
  if (filter.pipelineId !== undefined) parts.push(sql<SqlBool>`pipeline_id = ${filter.pipelineId}`)
  if (filter.commit !== undefined) parts.push(beginsWith(filter.commit))
  if (filter.scope !== undefined) parts.push(sql<SqlBool>`scope = ${filter.scope}`)
  if (filter.repository !== undefined) parts.push(sql<SqlBool>`repository = ${filter.repository}`)
  if (filter.since !== undefined) parts.push(sql<SqlBool>`id >= ${lowestIdOf(filter.since.getTime())}`)
  if (filter.until !== undefined) parts.push(sql<SqlBool>`id < ${lowestIdOf(filter.until.getTime())}`)
  if (filter.before !== undefined) parts.push(sql<SqlBool>`id < ${filter.before}`)
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`
}

/** `g` follows every digit of a commit's name. */
function beginsWith(commit: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(commit_sha collate "C" >= ${commit} and commit_sha collate "C" < ${`${commit}g`})`
}

/** Says in constants what the partial indexes say: of a parameter the planner cannot know that it fits one. */
function hasStatus(status: string): RawBuilder<SqlBool> {
  switch (status) {
    case 'queued':
      // Each of the two has its index.
      return sql<SqlBool>`(status = 'queued' and (withheld is null or withheld is not null))`
    case 'running':
    case 'paused':
      return sql<SqlBool>`(status = ${status} and status in ('running', 'paused'))`
    case 'success':
      return sql<SqlBool>`status = ${status}`
    default:
      return sql<SqlBool>`(status = ${status} and status in ('failure', 'warning', 'timed_out', 'canceled'))`
  }
}

export async function findRun(db: Queryable, id: string): Promise<DetailRow | undefined> {
  return await db.selectFrom('runs').select(DETAIL).where('id', '=', id).executeTakeFirst()
}

export async function findRunStatus(db: Queryable, id: string): Promise<RunStatusRow | undefined> {
  return await db.selectFrom('runs').select(STANDING).where('id', '=', id).executeTakeFirst()
}
