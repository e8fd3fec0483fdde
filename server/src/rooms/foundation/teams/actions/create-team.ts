import { foreignKeyViolation, uniqueViolation } from '#platform/database'
import { type RequestOrigin, requirePermission } from '#platform/http'
import { teamProblem } from '../errors.ts'
import type { Means } from '../means.ts'
import { parentPath } from '../rules.ts'
import * as store from '../store.ts'
import { about } from './find-team.ts'

export interface NewTeam {
  readonly path: string
  readonly name: string | undefined
}

/** A root team needs team.write on the platform, any other at its parent. */
export async function createTeam(means: Means, origin: RequestOrigin, input: NewTeam): Promise<store.TeamRow> {
  const parent = parentPath(input.path)
  requirePermission(origin.caller, 'team.write', parent ?? '/')
  const now = means.clock.now()
  const name = input.name ?? input.path.slice(input.path.lastIndexOf('/') + 1)
  const team = { id: means.ids.next(), path: input.path, name, createdAt: now, updatedAt: now }
  try {
    return await means.database.transaction(async (tx) => {
      const above = parent === undefined ? undefined : await store.findTeamByPath(tx, parent)
      if (parent !== undefined && !above) throw parentMissing(parent)
      await store.insertTeam(tx, team, above?.id ?? null)
      const states = { after: { path: team.path, name: team.name } }
      await means.audit.record(tx, { origin, ...about(team), action: 'team.created', ...states })
      return team
    })
  } catch (error) {
    if (uniqueViolation(error) === 'teams_path_taken') {
      throw teamProblem('team.path_taken', `A team of the path ${input.path} exists already.`, { cause: error })
    }
    if (parent !== undefined && foreignKeyViolation(error) === 'teams_parent_id_fkey') throw parentMissing(parent)
    throw error
  }
}

function parentMissing(path: string): Error {
  return teamProblem('team.parent_missing', `Create the team ${path} first: every parent must exist.`, {
    errors: [{ field: 'path', message: `its parent ${path} does not exist` }],
  })
}
