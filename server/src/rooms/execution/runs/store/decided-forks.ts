import { type RawBuilder, sql } from 'kysely'
import { type Queryable, teamPathsOf, withinPrefixes } from '#platform/database'
import type { ApprovalRow, HeldRun } from './approvals.ts'

/** A run of a pull request from a fork about which a member has decided. */
export interface DecidedFork extends HeldRun {
  readonly decision: ApprovalRow['decision']
  readonly comment: string | null
  readonly approvedCommit: string | null
  readonly deciderKind: ApprovalRow['subject_kind']
  readonly deciderId: string
  readonly deciderName: string
  readonly decidedAt: Date
}

/** A place in a list by time: behind the decision of that id. */
export interface DecidedPlace {
  readonly at: Date
  readonly id: string
}

export interface DecidedFilter {
  /** Team paths at and below which it may lie; '/' is everywhere. */
  readonly prefixes: readonly string[]
  readonly before: DecidedPlace | undefined
  readonly limit: number
}

/**
 * Newest decision first: each team's newest are read from the index of teams and times, and these are merged. The range
 * keeps the planner from another index, as in `listRuns`.
 */
export async function listDecidedForks(db: Queryable, filter: DecidedFilter): Promise<DecidedFork[]> {
  if (filter.prefixes.length === 0) return []
  return (await decidedForksQuery(filter).execute(db)).rows
}

/** The statement of `listDecidedForks`; a test reads its plan. */
export function decidedForksQuery({ prefixes, before, limit }: DecidedFilter): RawBuilder<DecidedFork> {
  const older = before === undefined ? sql`true` : sql`(decided_at, run_id) < (${before.at}, ${before.id}::uuid)`
  return sql<DecidedFork>`
    with recursive ${teamPathsOf('run_approvals', prefixes)}, newest as (
      select of_path.* from paths cross join lateral (
        select * from run_approvals
        where team_path >= paths.path and team_path <= paths.path and ${older}
        order by team_path desc, decided_at desc, run_id desc limit ${limit}
      ) as of_path
      order by of_path.decided_at desc, of_path.run_id desc limit ${limit}
    )
    select run.id, pipeline_identifier as pipeline, run.team_path as "teamPath", scope, repository,
      run.commit_sha as "commitSha", pull_request as "pullRequest", initiator_kind as "initiatorKind",
      initiator_id as "initiatorId", initiator_name as "initiatorName", queued_at as "queuedAt",
      newest.decision, newest.comment,
      newest.commit_sha as "approvedCommit", newest.subject_kind as "deciderKind",
      newest.subject_id as "deciderId", newest.subject_name as "deciderName", newest.decided_at as "decidedAt"
    from newest join runs as run on run.id = newest.run_id
    order by newest.decided_at desc, newest.run_id desc`
}

/** When a member decided about a run at and below these team paths; undefined: nobody did, or it lies elsewhere. */
export async function findForkDecisionTime(
  db: Queryable,
  runId: string,
  prefixes: readonly string[],
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('run_approvals')
    .select('decided_at')
    .where('run_id', '=', runId)
    .where(withinPrefixes('team_path', prefixes))
    .executeTakeFirst()
  return row?.decided_at
}
