import type { Queryable } from '#platform/database'
import { prefixesOf } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { findTeam, getTeamByPath } from './actions/find-team.ts'
import { listScopes, resolveScope, type Scope } from './actions/resolve-scope.ts'
import { teamProblem } from './errors.ts'
import type { Means } from './means.ts'
import { teamRoutes } from './routes.ts'
import { selfAndAncestors } from './rules.ts'
import { findOldestRoot, searchTeams, type TeamRow } from './store.ts'

export type { Scope } from './actions/resolve-scope.ts'
export type { TeamRow as Team } from './store.ts'

export interface Teams {
  /** By uuid or path. */
  findTeam(db: Queryable, idOrPath: string): Promise<TeamRow | undefined>
  /** Throws `invalid_request` (400), naming `team_path`, when there is no such team. */
  getTeamByPath(db: Queryable, path: string): Promise<TeamRow>
  /** The oldest team that has no team above it; undefined while there is none. */
  findOldestRoot(db: Queryable): Promise<TeamRow | undefined>
  /** The environment behind `<team path>/<environment>`; undefined when there is none. */
  resolveScope(db: Queryable, scope: string): Promise<Scope | undefined>
  /** Every scope there is: for the snapshot of who may do what. */
  listScopes(db: Queryable): Promise<readonly Scope[]>
  /** `acme/web` -> acme/web, acme. The platform, '/', is not among them. */
  selfAndAncestors(path: string): readonly string[]
}

export const teams = defineRoom<Teams, Doors<Means>>({
  name: 'foundation/teams',
  open: (kit, needs) => ({
    door: { findTeam, getTeamByPath, findOldestRoot, resolveScope, listScopes, selfAndAncestors },
    routes: teamRoutes({ ...kit, ...needs }),
    searches: [
      {
        kind: 'team',
        find: (caller, wish) => searchTeams(kit.database.kysely, prefixesOf(caller, 'team.read', wish.within), wish),
      },
    ],
    problems: [teamProblem],
  }),
})
