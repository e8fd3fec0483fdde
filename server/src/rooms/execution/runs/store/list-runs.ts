import type { Principal } from '@signalbox/contracts/http'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Queryable, withinPrefixes } from '#platform/database'
import { lowestIdOf } from '#platform/ids'

export interface SummaryRow {
  readonly id: string
  readonly pipeline_id: string
  readonly pipeline_identifier: string
  readonly pipeline_name: string
  readonly pipeline_version: number
  readonly team_path: string
  readonly scope: string
  readonly status: string
  readonly reason: string | null
  readonly cause: string
  readonly initiator_kind: Principal['kind']
  readonly initiator_id: string
  readonly initiator_name: string
  readonly repository: string | null
  readonly ref: string | null
  readonly branch: string | null
  readonly commit_sha: string | null
  readonly rerun_of: string | null
  readonly rerun_mode: string | null
  readonly rerun_step: string | null
  readonly parent_run_id: string | null
  readonly priority: number
  readonly replay_of: string | null
  readonly pull_request: number | null
  readonly base_ref: string | null
  readonly head_ref: string | null
  readonly untrusted: boolean
  readonly withheld: string | null
  readonly concurrency_group: string | null
  readonly on_conflict: string | null
  readonly queued_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  readonly final_output_status: string
}

const COLUMNS = sql.raw(
  `id, pipeline_id, pipeline_identifier, pipeline_name, pipeline_version, team_path, scope, status, reason, cause,
  initiator_kind, initiator_id, initiator_name, repository, ref, branch, commit_sha, rerun_of, rerun_mode, rerun_step,
  parent_run_id, priority, replay_of, pull_request, base_ref, head_ref,
  untrusted, withheld, concurrency_group, on_conflict, queued_at, started_at, finished_at, final_output_status`,
)

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
 * Newest first. Everything visible: the primary key, or the index of what is asked for, backwards. Else each
 * team path that has runs is found by a loose scan of the index, its newest runs are read from it, and they are merged:
 * the cost grows with teams and page, not with runs.
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

export interface DetailRow extends SummaryRow {
  readonly pipeline_version_id: string
  readonly requirement: unknown
  readonly revision: number
  readonly variables: unknown
  readonly event_block_id: string | null
  readonly event_offset: number | null
  readonly event_bytes: number | null
  readonly event_id: string | null
  readonly trigger_id: string | null
  readonly manifest_trigger: string | null
  readonly delivery_record_id: string | null
  readonly note: string | null
  readonly clone_url: string | null
  readonly checkout_credential_ref: string | null
  readonly cancel_requested_at: Date | null
  readonly deadline_at: Date | null
  readonly lane: string
  readonly sealed_variables: unknown
  readonly parent_step: string | null
  readonly parent_task: string | null
  readonly depth: number
  readonly queue_deadline_at: Date | null
  readonly paused_at: Date | null
  readonly final_output_reason: string | null
}

export async function findRun(db: Queryable, id: string): Promise<DetailRow | undefined> {
  const { rows } = await sql<DetailRow>`
    select ${COLUMNS}, pipeline_version_id, requirement, revision, variables, event_block_id, event_offset,
      event_bytes, event_id, trigger_id, manifest_trigger, delivery_record_id, note, clone_url, checkout_credential_ref,
      cancel_requested_at, deadline_at, lane, sealed_variables, parent_step, parent_task, depth, queue_deadline_at,
      paused_at, final_output_reason
    from runs where id = ${id}`.execute(db)
  return rows[0]
}

export interface RunStatusRow {
  readonly id: string
  readonly team_path: string
  readonly status: string
  readonly reason: string | null
  readonly queued_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

export async function findRunStatus(db: Queryable, id: string): Promise<RunStatusRow | undefined> {
  return await db
    .selectFrom('runs')
    .select(['id', 'team_path', 'status', 'reason', 'queued_at', 'started_at', 'finished_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

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
