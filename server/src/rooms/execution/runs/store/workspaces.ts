import { sql } from 'kysely'
import type { Queryable } from '#platform/database'

/** A runner that may still have files of a run which is over. */
export interface LeftWorkspace {
  readonly runnerId: string
  readonly runId: string
}

/** Takes what these runners are to be told from the list: who takes it tells it. */
export async function takeLeftWorkspaces(db: Queryable, runnerIds: readonly string[]): Promise<LeftWorkspace[]> {
  const { rows } = await sql<LeftWorkspace>`
    delete from run_workspaces using runs
    where run_workspaces.runner_id = any(${runnerIds}::uuid[]) and runs.id = run_workspaces.run_id
      and runs.finished_at is not null
      and not exists (select from attempts where attempts.run_id = runs.id and attempts.status = 'leased')
    returning run_workspaces.runner_id as "runnerId", run_workspaces.run_id as "runId"`.execute(db)
  return rows
}

/** Which of these runs are over, none of their attempts being in anybody's hand. Of a run that is not there nothing comes. */
export async function listOver(db: Queryable, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ runId: string }>`
    select asked.id as "runId" from unnest(${runIds}::uuid[]) as asked (id) left join runs on runs.id = asked.id
    where runs.id is null or (runs.finished_at is not null
      and not exists (select from attempts where attempts.run_id = runs.id and attempts.status = 'leased'))`.execute(db)
  return rows.map(({ runId }) => runId)
}
