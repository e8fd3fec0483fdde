import { sql } from 'kysely'
import type { Queryable } from '#platform/database'
import type { DetailRow } from './run-columns.ts'

export interface SuccessfulRun {
  readonly id: string
  readonly match: 'same_branch' | 'other_branch' | 'other_scope'
}

type Wanted = Pick<DetailRow, 'id' | 'pipeline_id' | 'scope' | 'branch' | 'pull_request'>

/** Of a branch whose last success lies further back, the newest one of another branch is taken. */
const LOOKED_THROUGH = 1000

/** Nearest first: the same pull request, the branch that it wants to enter, any branch, another pull request. */
export async function findSuccessInScope(db: Queryable, run: Wanted): Promise<SuccessfulRun | undefined> {
  const { rows } = await sql<SuccessfulRun>`
    with newest as (
      select id, branch is not distinct from ${run.branch}::text as of_branch, pull_request is null as of_no_request,
        pull_request is not distinct from ${run.pull_request}::bigint as of_request
      from runs
      where status = 'success' and pipeline_id = ${run.pipeline_id} and scope = ${run.scope} and id < ${run.id}
      order by id desc limit ${LOOKED_THROUGH}
    )
    select id, case when of_branch and (of_request or of_no_request) then 'same_branch' else 'other_branch' end as match
    from newest
    order by of_branch and of_request desc, of_branch and of_no_request desc, of_no_request desc, id desc
    limit 1`.execute(db)
  return rows[0]
}

/** The newest of any scope. Scopes are found by a loose index scan: the cost is their number. */
export async function findSuccessElsewhere(db: Queryable, run: Wanted): Promise<SuccessfulRun | undefined> {
  const { rows } = await sql<SuccessfulRun>`
    with recursive scopes as (
      (select scope from runs where status = 'success' and pipeline_id = ${run.pipeline_id} order by scope limit 1)
      union all
      select (select runs.scope from runs where status = 'success' and pipeline_id = ${run.pipeline_id}
        and runs.scope > scopes.scope order by runs.scope limit 1)
      from scopes where scopes.scope is not null
    )
    select newest.id, 'other_scope' as match from scopes cross join lateral (
      select id from runs
      where status = 'success' and pipeline_id = ${run.pipeline_id} and runs.scope = scopes.scope and id < ${run.id}
      order by id desc limit 1
    ) as newest
    order by newest.id desc limit 1`.execute(db)
  return rows[0]
}

export interface UsualTime {
  readonly step: string
  readonly task: string
  readonly median_ms: number
  readonly count: number
}

/** How long each task usually takes: the median of the newest successes of the pipeline in the scope of the run. */
export async function listUsualTimes(
  db: Queryable,
  run: Pick<Wanted, 'id' | 'pipeline_id' | 'scope'>,
  successes: number,
): Promise<readonly UsualTime[]> {
  const { rows } = await sql<UsualTime>`
    select step, task, count(*) as count, (extract(epoch from
      percentile_cont(0.5) within group (order by run_tasks.finished_at - run_tasks.started_at)) * 1000)::bigint as median_ms
    from (
      select id from runs
      where status = 'success' and pipeline_id = ${run.pipeline_id} and scope = ${run.scope} and id < ${run.id}
      order by id desc limit ${successes}
    ) as newest join run_tasks on run_tasks.run_id = newest.id
    where run_tasks.started_at is not null and run_tasks.finished_at is not null and run_tasks.status = 'success'
    group by step, task`.execute(db)
  return rows
}
