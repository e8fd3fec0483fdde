import type { Ending } from '@signalbox/pipeline/status'
import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** How a run stands or ended, as its row says. */
export interface OutcomeRun {
  readonly id: string
  readonly teamPath: string
  readonly pipelineId: string
  readonly pipelineVersionId: string
  readonly status: string
  readonly reason: string | null
  readonly branch: string | null
  readonly untrusted: boolean
  /** Why it was ended before its time; null: it was not. */
  readonly ending: Ending | null
  readonly cancelRequestedAt: Date | null
  readonly startedAt: Date | null
}

export interface OutcomeStep {
  readonly step: string
  readonly status: string
  readonly reason: string | null
  /** Its own time limit was over. */
  readonly isLate: boolean
}

export interface OutcomeTask {
  readonly step: string
  readonly task: string
  readonly status: string
  readonly reason: string | null
  /** What depends on it was skipped. */
  readonly blocks: boolean
  readonly attempt: number
  readonly exitCode: number | null
  readonly finishedAt: Date | null
}

/** By the primary key. */
export async function findOutcomeRun(db: Queryable, id: string): Promise<OutcomeRun | undefined> {
  const { rows } = await sql<OutcomeRun>`
    select id, team_path as "teamPath", pipeline_id as "pipelineId", pipeline_version_id as "pipelineVersionId", status,
      reason, branch, untrusted, ending, cancel_requested_at as "cancelRequestedAt", started_at as "startedAt"
    from runs where id = ${id}`.execute(db)
  return rows[0]
}

/** Steps that ended otherwise than well, in the order of the document. */
export async function listFallenSteps(db: Queryable, runId: string): Promise<OutcomeStep[]> {
  const { rows } = await sql<OutcomeStep>`
    select step, status, reason, timed_out is not null as "isLate" from run_steps
    where run_id = ${runId} and status in ('failure', 'timed_out', 'warning') order by position`.execute(db)
  return rows
}

/** Tasks that ended otherwise than well, the first to end first. */
export async function listFallenTasks(db: Queryable, runId: string): Promise<OutcomeTask[]> {
  const { rows } = await sql<OutcomeTask>`
    select tasks.step, tasks.task, tasks.status, tasks.reason, tasks.blocks, attempt, exit_code as "exitCode",
      tasks.finished_at as "finishedAt"
    from run_tasks as tasks join run_steps as steps using (run_id, step)
    where run_id = ${runId} and tasks.status in ('failure', 'failure (ignored)', 'timed_out', 'canceled', 'skipped')
    order by tasks.finished_at, steps.position, tasks.position`.execute(db)
  return rows
}

/** A task whose earlier successes are wanted. */
export interface TaskPlace {
  readonly step: string
  readonly task: string
}

export interface SuccessWish {
  readonly run: Pick<OutcomeRun, 'id' | 'teamPath' | 'pipelineId' | 'branch' | 'untrusted'>
  readonly places: readonly TaskPlace[]
  /** For each place. */
  readonly limit: number
}

export interface SucceededAttempt extends TaskPlace {
  readonly attemptId: string
  readonly runId: string
}

/** Newer runs are looked at too: a repetition that succeeded shows best what the failed run lacked. */
const RUNS_BEFORE = 200
const RUNS_AFTER = 50

/**
 * Attempts of the same tasks that succeeded in runs of the same pipeline and team: those of the same branch first, then
 * those before the run, then the nearest. Looks at no more than 250 runs, by the index of ended runs of a pipeline. A run
 * that is not of a fork is compared with none of a fork: its author could hide lines of the team.
 */
export async function listSucceeded(db: Queryable, { run, places, limit }: SuccessWish): Promise<SucceededAttempt[]> {
  const { rows } = await sql<SucceededAttempt>`
    with near as materialized (
      (select id, team_path, branch, untrusted from runs
        where pipeline_id = ${run.pipelineId} and id < ${run.id} and finished_at is not null and status <> 'canceled'
        order by id desc limit ${RUNS_BEFORE})
      union all
      (select id, team_path, branch, untrusted from runs
        where pipeline_id = ${run.pipelineId} and id > ${run.id} and finished_at is not null and status <> 'canceled'
        order by id limit ${RUNS_AFTER})
    ), ordered as materialized (
      select id, row_number() over (order by branch is not distinct from ${run.branch} desc, id < ${run.id} desc,
          case when id < ${run.id} then id end desc, id) as place
      from near where team_path = ${run.teamPath} and (not untrusted or ${run.untrusted})
    )
    select wanted.step, wanted.task, found.id as "attemptId", found.run_id as "runId"
    from unnest(${places.map(({ step }) => step)}::text[], ${places.map(({ task }) => task)}::text[])
      with ordinality as wanted(step, task, nth)
    cross join lateral (
      select attempts.id, attempts.run_id, ordered.place from ordered
      join attempts on attempts.run_id = ordered.id and attempts.step = wanted.step and attempts.task = wanted.task
        and attempts.status = 'success'
      order by ordered.place limit ${limit}
    ) as found
    order by wanted.nth, found.place`.execute(db)
  return rows
}
