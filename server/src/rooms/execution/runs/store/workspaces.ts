import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** The workspace that the tasks of a step share. */
export interface StepWorkspace {
  readonly runId: string
  readonly step: string
}

/** A workspace that a runner may still have. */
export interface LeftWorkspace extends StepWorkspace {
  readonly runnerId: string
}

/** Where the tasks of a step ran last, and which of them have begun there. */
export interface SharedPlace extends StepWorkspace {
  readonly runnerId: string
  readonly lastAttemptId: string
  readonly lastStatus: string
  readonly begun: readonly string[]
}

/** By the index of attempts. A step of which no runner ever had a task is not answered. */
export async function findSharedPlaces(db: Queryable, steps: readonly StepWorkspace[]): Promise<SharedPlace[]> {
  const { rows } = await sql<SharedPlace>`
    select run_id as "runId", step, (array_agg(runner_id order by fence desc))[1] as "runnerId",
      (array_agg(id order by fence desc))[1] as "lastAttemptId",
      (array_agg(status order by fence desc))[1] as "lastStatus",
      coalesce(array_agg(distinct task) filter (where started_at is not null or status = 'success'), '{}') as begun
    from attempts join unnest(${steps.map(({ runId }) => runId)}::uuid[], ${steps.map(({ step }) => step)}::text[])
      as wanted (run_id, step) using (run_id, step)
    where attempts.runner_id is not null
    group by run_id, step`.execute(db)
  return rows
}

/** The runner is about to have it: it is to be told once the step is over. */
export async function noteWorkspace(db: Queryable, { runnerId, runId, step }: LeftWorkspace): Promise<void> {
  await db
    .insertInto('step_workspaces')
    .values({ runner_id: runnerId, run_id: runId, step })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Takes what these runners are to be told from the list: who takes it tells it. */
export async function takeLeftWorkspaces(db: Queryable, runnerIds: readonly string[]): Promise<LeftWorkspace[]> {
  const { rows } = await sql<LeftWorkspace>`
    delete from step_workspaces as left_there using runs, run_steps
    where left_there.runner_id = any(${runnerIds}::uuid[]) and runs.id = left_there.run_id
      and run_steps.run_id = left_there.run_id and run_steps.step = left_there.step
      and (runs.finished_at is not null or run_steps.finished_at is not null)
      and not exists (select from attempts where attempts.run_id = left_there.run_id
        and attempts.step = left_there.step and attempts.status = 'leased')
    returning left_there.runner_id as "runnerId", left_there.run_id as "runId", left_there.step`.execute(db)
  return rows
}

/** The workspaces that no task needs any more: the step is over or missing, or its tasks have since run on another runner. */
export async function listOver(
  db: Queryable,
  runnerId: string,
  kept: readonly StepWorkspace[],
): Promise<StepWorkspace[]> {
  const { rows } = await sql<StepWorkspace>`
    select asked.run_id as "runId", asked.step
    from unnest(${kept.map(({ runId }) => runId)}::uuid[], ${kept.map(({ step }) => step)}::text[])
      as asked (run_id, step)
    left join run_steps using (run_id, step)
    left join lateral (
      select runner_id, status from attempts where attempts.run_id = asked.run_id and attempts.step = asked.step
        and attempts.runner_id is not null order by fence desc limit 1
    ) as last on true
    where run_steps.run_id is null or last.runner_id is distinct from ${runnerId}::uuid
      or (run_steps.finished_at is not null and last.status <> 'leased')`.execute(db)
  return rows
}
