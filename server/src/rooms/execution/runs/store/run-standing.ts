import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** Where a run stands, for who tells others of it. */
export interface RunStanding {
  readonly id: string
  readonly status: string
  /** Why it ended as it did, where that is known. */
  readonly reason: string | null
  /** Why it may not begin yet: fork_approval, group; null for any other reason, or none. */
  readonly withheld: string | null
  readonly teamPath: string
  readonly pipeline: string
  readonly scope: string
  readonly repository: string | null
  readonly cloneUrl: string | null
  readonly ref: string | null
  readonly commitSha: string | null
  readonly pullRequest: number | null
  /** On whose behalf it runs. */
  readonly initiatorKind: string
  readonly initiatorId: string
  /** The run that it repeats, in the end; its own id where it repeats none. */
  readonly originId: string
  /** Of the delivery that started it, or started the run that it repeats. */
  readonly deliveryRecordId: string | null
  readonly startedAt: Date | null
  /** Somebody wants it canceled; one in flight ends when its runners have said so. */
  readonly cancelRequestedAt: Date | null
  readonly finishedAt: Date | null
}

/** By the primary key; once more for each time that it is a rerun of a rerun. */
export async function findStanding(db: Queryable, id: string): Promise<RunStanding | undefined> {
  const { rows } = await sql<RunStanding>`
    with recursive origins as (
      select id, rerun_of, delivery_record_id from runs where id = ${id}
      union all
      select first.id, first.rerun_of, first.delivery_record_id from origins join runs as first on first.id = origins.rerun_of
      where origins.delivery_record_id is null
    )
    select id, status, reason, withheld, team_path as "teamPath", pipeline_identifier as pipeline, pull_request as "pullRequest",
      initiator_kind as "initiatorKind", initiator_id as "initiatorId",
      coalesce((select origins.id from origins where delivery_record_id is not null), id) as "originId", scope, repository, clone_url as "cloneUrl", ref,
      commit_sha as "commitSha",
      (select delivery_record_id from origins where delivery_record_id is not null) as "deliveryRecordId",
      started_at as "startedAt", cancel_requested_at as "cancelRequestedAt", finished_at as "finishedAt"
    from runs where id = ${id}`.execute(db)
  return rows[0]
}

export interface StandingStep {
  readonly step: string
  readonly status: string
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

/** In the order of the document. */
export async function listSteps(db: Queryable, runId: string): Promise<readonly StandingStep[]> {
  const { rows } = await sql<StandingStep>`
    select step, status, started_at as "startedAt", finished_at as "finishedAt"
    from run_steps where run_id = ${runId} order by position`.execute(db)
  return rows
}
