import { checkIfMatch, etagOf, laterThan, type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { teamProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import * as store from '../store.ts'
import { about, getVisibleTeam } from './find-team.ts'

export interface TeamChange {
  readonly idOrPath: string
  readonly name: string | undefined
  readonly path: string | undefined
}

/** Changes the name. A path never changes: scopes, pipelines and secrets of others name it. */
export async function updateTeam(means: Means, origin: RequestOrigin, change: TeamChange): Promise<store.TeamRow> {
  return means.database.transaction(async (tx) => {
    const seen = await getVisibleTeam(tx, origin.caller, change.idOrPath)
    requirePermission(origin.caller, 'team.write', seen.path)
    const before = await store.lockTeam(tx, seen.id)
    if (!before) throw platformProblem('not_found', 'The team was deleted meanwhile.')
    checkIfMatch(origin.ifMatch, etagOf(before.updatedAt))
    if (change.path !== undefined && change.path !== before.path) {
      throw teamProblem('team.path_fixed', 'A team keeps its path: create another team and move what it owns.', {
        errors: [{ field: 'path', message: `must be ${before.path}` }],
      })
    }
    if (change.name === undefined || change.name === before.name) return before
    const after = { ...before, name: change.name, updatedAt: laterThan(before.updatedAt, means.clock.now()) }
    await store.updateTeam(tx, after)
    const states = { before: { name: before.name }, after: { name: after.name } }
    await means.audit.record(tx, { origin, ...about(before), action: 'team.updated', ...states })
    return after
  })
}
