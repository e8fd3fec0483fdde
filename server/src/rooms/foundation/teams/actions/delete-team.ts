import { foreignKeyViolation } from '#platform/database'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { platformProblem } from '#platform/problems'
import { teamProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { sayOwned } from '../rules.ts'
import * as store from '../store.ts'
import { about, getVisibleTeam } from './find-team.ts'

/** Refused while the team owns anything; its grants go with it. The foreign keys decide, so nothing races. */
export async function deleteTeam(means: Means, origin: RequestOrigin, idOrPath: string): Promise<void> {
  try {
    await means.database.transaction(async (tx) => {
      const team = await getVisibleTeam(tx, origin.caller, idOrPath)
      requirePermission(origin.caller, 'team.write', team.path)
      if (!(await store.deleteTeam(tx, team.id))) throw platformProblem('not_found', 'The team was deleted meanwhile.')
      const states = { before: { path: team.path, name: team.name } }
      await means.audit.record(tx, { origin, ...about(team), action: 'team.deleted', ...states })
    })
  } catch (error) {
    const constraint = foreignKeyViolation(error)
    if (constraint === undefined) throw error
    throw teamProblem('team.not_empty', sayOwned(constraint), { cause: error })
  }
}
