import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Queryable, teamPathsOf, withinPrefixes } from '#platform/database'
import { lowestIdOf } from '#platform/ids'
import { DETAIL, type DetailRow, type RunStatusRow, STANDING, SUMMARY, type SummaryRow } from './run-columns.ts'

const COLUMNS = sql.raw(SUMMARY.join(', '))

export interface RunFilter {
  /** Team paths at and below which runs are visible; '/' is everywhere. */
  readonly prefixes: readonly string[]
  /** One of these; undefined: any. */
  readonly statuses?: readonly string[] | undefined
  readonly pipelineId?: string | undefined
  readonly cause?: string | undefined
  readonly initiatorId?: string | undefined
  readonly branch?: string | undefined
  /** The first characters of one, in lower case. */
  readonly commit?: string | undefined
  readonly repository?: string | undefined
  readonly pullRequest?: number | undefined
  readonly scope?: string | undefined
  readonly triggerId?: string | undefined
  readonly scheduleId?: string | undefined
  readonly externalTriggerId?: string | undefined
  /** Queued at that time or later, and before that time: ids are made then, and are in its order. */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly before: string | undefined
  readonly limit: number
}

/**
 * Newest first. A caller who sees everything reads the primary key, or the index of a filter, backwards. For other callers
 * a loose index scan finds each team path with runs, reads its newest runs, and the pages are merged. The cost grows with
 * teams and page, not with runs.
 */
export async function listRuns(db: Queryable, filter: RunFilter): Promise<SummaryRow[]> {
  if (filter.prefixes.length === 0) return []
  if (filter.prefixes.includes('/')) return (await newest(filter).execute(db)).rows
  const { rows } = await sql<SummaryRow>`
    with recursive ${teamPathsOf('runs', filter.prefixes)}
    select newest.* from paths cross join lateral (${newestOfPath(filter)}) as newest
    order by newest.id desc limit ${filter.limit}`.execute(db)
  return rows
}

/**
 * Without a filter by the index of teams, whatever the planner believes: where few teams hold all runs it takes a backward
 * scan of the primary key for cheaper, and reads every run for a team that has none. A range keeps it from that, as
 * `team_path` then takes part in the order. With a filter another index may be the better one.
 */
function newestOfPath(filter: RunFilter): RawBuilder<SummaryRow> {
  const isFiltered = conditions({ ...filter, before: undefined }).length > 1 || (filter.statuses ?? []).length > 0
  if (isFiltered) return newest(filter, sql<SqlBool>`team_path = paths.path`)
  return sql`select ${COLUMNS} from runs
    where team_path >= paths.path and team_path <= paths.path and ${sql.join(conditions(filter), sql` and `)}
    order by team_path, id desc limit ${filter.limit}`
}

/** Of several statuses each is read by its own index, and the pages are merged. */
function newest(filter: RunFilter, where?: RawBuilder<SqlBool>): RawBuilder<SummaryRow> {
  const all = sql.join(where === undefined ? conditions(filter) : [where, ...conditions(filter)], sql` and `)
  const last = sql`order by id desc limit ${filter.limit}`
  const statuses = [...new Set(filter.statuses ?? [])]
  if (statuses.length === 0) return sql`select ${COLUMNS} from runs where ${all} ${last}`
  const each = statuses.map(
    (status) => sql`(select ${COLUMNS} from runs where ${all} and ${hasStatus(status)} ${last})`,
  )
  return sql`select * from (${sql.join(each, sql` union all `)}) as of_status ${last}`
}

function conditions(filter: RunFilter): RawBuilder<SqlBool>[] {
  const parts: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`]
  const { since, until } = filter
  const equal = [
    ['pipeline_id', filter.pipelineId],
    ['cause', filter.cause],
    ['initiator_id', filter.initiatorId],
    ['branch', filter.branch],
    ['repository', filter.repository],
    ['pull_request', filter.pullRequest],
    ['scope', filter.scope],
    ['trigger_id', filter.triggerId],
    ['schedule_id', filter.scheduleId],
    ['external_trigger_id', filter.externalTriggerId],
  ] as const
  for (const [column, value] of equal) {
    if (value !== undefined) parts.push(sql<SqlBool>`${sql.ref(column)} = ${value}`)
  }
  if (filter.cause !== undefined) parts.push(sayCause(filter.cause))
  if (filter.commit !== undefined) parts.push(beginsWith(filter.commit))
  if (since !== undefined) parts.push(sql<SqlBool>`id >= ${lowestIdOf(since.getTime())}`)
  if (until !== undefined) parts.push(sql<SqlBool>`id < ${lowestIdOf(until.getTime())}`)
  if (filter.before !== undefined) parts.push(sql<SqlBool>`id < ${filter.before}`)
  return parts
}

/** As `hasStatus`: says in constants what the partial indexes say. */
function sayCause(cause: string): RawBuilder<SqlBool> {
  return cause === 'event' ? sql<SqlBool>`cause = 'event'` : sql<SqlBool>`cause <> 'event'`
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

const RESULT = ['id', 'pipeline_id', 'status', 'queued_at', 'started_at', 'finished_at'] as const

export type PipelineResultRow = Readonly<Pick<DetailRow, (typeof RESULT)[number]>>

/** The newest runs of each pipeline, of those the visible ones; by pipeline, newest first. */
export async function listResults(
  db: Queryable,
  asked: { readonly pipelineIds: readonly string[]; readonly prefixes: readonly string[]; readonly limit: number },
): Promise<PipelineResultRow[]> {
  // All runs of a pipeline are of its team: the limit comes first, so that hidden runs are not searched through.
  const { rows } = await sql<PipelineResultRow>`
    select ${sql.raw(RESULT.map((column) => `newest.${column}`).join(', '))}
    from unnest(${[...new Set(asked.pipelineIds)]}::uuid[]) with ordinality as asked(pipeline_id, place)
    cross join lateral (
      select team_path, ${sql.raw(RESULT.join(', '))} from runs
      where runs.pipeline_id = asked.pipeline_id order by id desc limit ${asked.limit}
    ) as newest
    where ${withinPrefixes('newest.team_path', asked.prefixes)}
    order by asked.place, newest.id desc`.execute(db)
  return rows
}

export async function findRun(db: Queryable, id: string): Promise<DetailRow | undefined> {
  return await db.selectFrom('runs').select(DETAIL).where('id', '=', id).executeTakeFirst()
}

export async function findRunStatus(db: Queryable, id: string): Promise<RunStatusRow | undefined> {
  return await db.selectFrom('runs').select(STANDING).where('id', '=', id).executeTakeFirst()
}
