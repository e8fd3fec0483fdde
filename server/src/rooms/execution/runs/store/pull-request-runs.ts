import { type Selectable, sql } from 'kysely'
import type { DB, Queryable } from '#platform/database'

const COLUMNS = [
  'id',
  'team_path',
  'pipeline_identifier',
  'scope',
  'status',
  'reason',
  'withheld',
  'commit_sha',
  'clone_url',
  'cancel_requested_at',
  'finished_at',
] as const

export type PullRequestRun = Readonly<Pick<Selectable<DB['runs']>, (typeof COLUMNS)[number]>>

export interface PullRequestAsked {
  /** As the provider writes it. */
  readonly repository: string
  readonly pullRequest: number
  readonly limit: number
}

/** Repositories of several providers may have one name: `clone_url` tells them apart. */
export function listOfPullRequest(
  db: Queryable,
  { repository, pullRequest, limit }: PullRequestAsked,
): Promise<PullRequestRun[]> {
  return db
    .selectFrom('runs')
    .select(COLUMNS)
    .where('pull_request', '=', pullRequest)
    .where('repository', '=', repository)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

const MOST_LOOKED_AT = 2_000

/** Where a trigger or a manifest's entry started this pipeline for a pull request of the repository: the clone addresses. */
export async function listRuleOrigins(db: Queryable, pipeline: string, repository: string): Promise<string[]> {
  const { rows } = await sql<{ clone_url: string }>`
    select distinct clone_url from (
      select clone_url, pipeline_identifier, pull_request, cause, trigger_id, manifest_trigger from runs
      where repository = ${repository} order by id desc limit ${MOST_LOOKED_AT}) as newest
    where pipeline_identifier = ${pipeline} and pull_request is not null and cause = 'event'
      and (trigger_id is not null or manifest_trigger is not null) and clone_url is not null
    limit 20`.execute(db)
  return rows.map((row) => row.clone_url)
}
