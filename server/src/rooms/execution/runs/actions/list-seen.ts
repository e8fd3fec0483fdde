import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import { listTeams } from '../store/started-runs.ts'

/** Those of these runs that the caller may see. One that is gone is nobody's to see. */
export async function listSeen(db: Queryable, caller: Caller, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const teams = await listTeams(db, [...new Set(ids)])
  return new Set([...teams].flatMap(([id, teamPath]) => (caller.can('run.read', teamPath) ? id : [])))
}
