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
