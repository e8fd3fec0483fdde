import type { TeamQuery } from '@signalbox/contracts/teams'
import type { Queryable } from '#platform/database'
import { type Caller, type Page, pageOf, requireVisible } from '#platform/http'
import { isUuid } from '#platform/ids'
import { platformProblem } from '#platform/problems'
import type { Means } from '../means.ts'
import { isTeamPath } from '../rules.ts'
import * as store from '../store.ts'

/** A team by its uuid or its path. */
export async function findTeam(db: Queryable, idOrPath: string): Promise<store.TeamRow | undefined> {
  // A path of one part may have the form of a uuid; then the id wins and the path is tried after it.
  const byId = isUuid(idOrPath) ? await store.findTeamById(db, idOrPath) : undefined
  if (byId) return byId
  return isTeamPath(idOrPath) ? store.findTeamByPath(db, idOrPath) : undefined
}

/** The team, if the caller may see it: unknown and invisible teams look alike (404). */
export async function getVisibleTeam(db: Queryable, caller: Caller, idOrPath: string): Promise<store.TeamRow> {
  const team = await findTeam(db, idOrPath)
  return requireVisible(caller, 'team.read', team, () =>
    platformProblem('not_found', 'There is no such team, or you may not see it.'),
  )
}

export function listTeams(means: Means, caller: Caller, query: TeamQuery): Promise<Page<store.TeamRow>> {
  const prefixes = caller.prefixes('team.read')
  return pageOf(query, (window) => store.listTeams(means.database.kysely, prefixes, window))
}

/** Throws invalid_request (400), naming `team_path`, when there is no such team. */
export async function getTeamByPath(db: Queryable, path: string): Promise<store.TeamRow> {
  const team = isTeamPath(path) ? await store.findTeamByPath(db, path) : undefined
  if (team) return team
  throw platformProblem('invalid_request', `There is no team of the path ${path}.`, {
    errors: [{ field: 'team_path', message: 'must be the path of a team that exists' }],
  })
}

/** The resource and the team of an audit record. */
export function about({ id, path }: store.TeamRow) {
  return { resource: { kind: 'team', id }, teamPath: path }
}
