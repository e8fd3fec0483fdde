import { foreignKeyViolation } from '#platform/database'
import type { RequestOrigin } from '#platform/http'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import { teamProblem } from '../errors.ts'
import type { TeamNeeds } from '../index.ts'
import { describeOwned } from '../rules.ts'
import * as store from '../store.ts'
import { getVisibleTeam } from './find-team.ts'

/** Refused while the team owns anything; its grants go with it. The foreign keys are the judge, so nothing races. */
export async function deleteTeam(kit: Kit, needs: TeamNeeds, origin: RequestOrigin, idOrPath: string): Promise<void> {
  try {
    await kit.database.transaction(async (tx) => {
      const team = await getVisibleTeam(tx, origin.caller, idOrPath)
      if (!origin.caller.can('team.write', team.path)) {
        throw platformProblem('forbidden', `You need the permission team.write on ${team.path}.`)
      }
      await store.deleteTeam(tx, team.id)
      await needs.audit.record(tx, {
        origin,
        action: 'team.deleted',
        resource: { kind: 'team', id: team.id },
        teamPath: team.path,
        before: { path: team.path, name: team.name },
      })
    })
  } catch (error) {
    const constraint = foreignKeyViolation(error)
    if (constraint === undefined) throw error
    throw teamProblem(
      'team.not_empty',
      `The team still owns ${describeOwned(constraint)}: delete or move them first.`,
      {
        cause: error,
      },
    )
  }
}
