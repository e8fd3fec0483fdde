import { type Caller, requireVisible } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { findRun, findRunStatus } from '../store/list-runs.ts'
import type { DetailRow, RunStatusRow } from '../store/run-columns.ts'

/** Throws 404 where there is no such run, and where the caller may not see it. */
export async function findVisibleRun(means: Means, caller: Caller, id: string): Promise<DetailRow> {
  return visible(caller, id, await findRun(means.database.kysely, id))
}

/** As `findVisibleRun`: where the run stands, without its detail. */
export async function findVisibleStatus(means: Means, caller: Caller, id: string): Promise<RunStatusRow> {
  return visible(caller, id, await findRunStatus(means.database.kysely, id))
}

function visible<Row extends { readonly team_path: string }>(caller: Caller, id: string, run: Row | undefined): Row {
  const found = run && { run, teamPath: run.team_path }
  return requireVisible(caller, 'run.read', found, () =>
    platformProblem('not_found', `There is no run ${id} that you may see.`),
  ).run
}
