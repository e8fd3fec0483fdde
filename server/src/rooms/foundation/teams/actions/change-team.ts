import { checkIfMatch, etagOf, laterThan, type RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { teamProblem } from '../errors.ts'
import type { TeamNeeds } from '../index.ts'
import * as store from '../store.ts'
import { getVisibleTeam } from './find-team.ts'

export interface TeamChange {
  readonly name: string | undefined
  readonly path: string | undefined
  readonly ifMatch: string | string[] | undefined
}

/** Changes the name. A path never changes: scopes, pipelines and secrets of others name it. */
export async function changeTeam(
  kit: Kit,
  needs: TeamNeeds,
  origin: RequestOrigin,
  idOrPath: string,
  change: TeamChange,
): Promise<store.TeamRow> {
  return kit.database.transaction(async (tx) => {
    const seen = await getVisibleTeam(tx, origin.caller, idOrPath)
    if (!origin.caller.can('team.write', seen.path)) {
      throw platformProblem('forbidden', `You need the permission team.write on ${seen.path}.`)
    }
    const team = await store.lockTeam(tx, seen.id)
    if (!team) throw platformProblem('not_found', 'The team was deleted meanwhile.')
    checkIfMatch(change.ifMatch, etagOf(team.updatedAt))
    if (change.path !== undefined && change.path !== team.path) {
      throw teamProblem('team.path_fixed', 'A team keeps its path: create another team and move what it owns.', {
        errors: [{ field: 'path', message: `must be ${team.path}` }],
      })
    }
    if (change.name === undefined || change.name === team.name) return team
    const changed = { ...team, name: change.name, updatedAt: laterThan(team.updatedAt, kit.clock.now()) }
    await store.renameTeam(tx, team.id, changed.name, changed.updatedAt)
    await needs.audit.record(tx, {
      origin,
      action: 'team.updated',
      resource: { kind: 'team', id: team.id },
      teamPath: team.path,
      before: { name: team.name },
      after: { name: changed.name },
    })
    return changed
  })
}
