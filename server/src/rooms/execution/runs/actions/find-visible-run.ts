import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { type DetailRow, findRun, findRunStatus, type RunStatusRow } from '../store/list-runs.ts'

/** 404 when there is no such run or the caller may not see it: the two look alike. */
export async function findVisibleRun(db: Queryable, caller: Caller, id: string): Promise<DetailRow> {
  const run = await findRun(db, id)
  if (!caller.can('run.read', run?.team_path ?? '/') || !run) throw unknownRun(id)
  return run
}

export async function findVisibleStatus(db: Queryable, caller: Caller, id: string): Promise<RunStatusRow> {
  const run = await findRunStatus(db, id)
  if (!caller.can('run.read', run?.team_path ?? '/') || !run) throw unknownRun(id)
  return run
}

/** 403 for a run that the caller sees and may not touch. */
export function requirePermission(caller: Caller, permission: string, teamPath: string): void {
  if (caller.can(permission, teamPath)) return
  throw platformProblem('forbidden', `You need ${permission} on ${teamPath} to do that.`)
}

function unknownRun(id: string): Error {
  return platformProblem('not_found', `There is no run ${id} that you may see.`)
}
