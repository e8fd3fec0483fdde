import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { findSuccessElsewhere, findSuccessInScope, type SuccessfulRun } from '../store/last-success.ts'
import { findRun } from '../store/list-runs.ts'
import type { DetailRow } from '../store/run-columns.ts'
import { findVisibleRun } from './find-visible-run.ts'

export interface LastSuccess {
  readonly match: SuccessfulRun['match']
  readonly run: DetailRow
}

/** The nearest success of the same pipeline before a run. Throws 404 where there is none that the caller may see. */
export async function findLastSuccess(means: Means, caller: Caller, id: string): Promise<LastSuccess> {
  const run = await findVisibleRun(means, caller, id)
  const db = means.database.kysely
  const found = (await findSuccessInScope(db, run)) ?? (await findSuccessElsewhere(db, run))
  const success = found && (await findRun(db, found.id))
  if (!found || !success || !caller.can('run.read', success.team_path)) {
    throw platformProblem('not_found', 'No run of its pipeline that you may see has succeeded before it.')
  }
  return { match: found.match, run: success }
}
