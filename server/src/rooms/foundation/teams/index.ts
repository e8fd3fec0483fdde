import type { Queryable } from '#platform/database'
import { defineRoom } from '#platform/room'
import type { Audit } from '#rooms/foundation/audit'
import { findTeam, getTeamByPath, type TeamRow } from './actions/find-team.ts'
import { listScopes, resolveScope, type Scope } from './actions/resolve-scope.ts'
import { teamProblem } from './errors.ts'
import { teamRoutes } from './routes.ts'
import { selfAndAncestors } from './rules.ts'

export type { TeamRow as Team } from './actions/find-team.ts'
export type { Scope } from './actions/resolve-scope.ts'

export interface Teams {
  /** By uuid or path. */
  findTeam(db: Queryable, idOrPath: string): Promise<TeamRow | undefined>
  /** Throws `invalid_request` (400), naming `team_path`, when there is no such team. */
  getTeamByPath(db: Queryable, path: string): Promise<TeamRow>
  /** The environment behind `<team path>/<environment>`; undefined when there is none. */
  resolveScope(db: Queryable, scope: string): Promise<Scope | undefined>
  /** Every scope there is: for the snapshot of who may do what. */
  listScopes(db: Queryable): Promise<readonly Scope[]>
  /** `acme/web` -> acme/web, acme. The platform, '/', is not among them. */
  selfAndAncestors(path: string): readonly string[]
}

export interface TeamNeeds {
  readonly audit: Audit
}

export const teams = defineRoom<Teams, TeamNeeds>({
  name: 'foundation/teams',
  open: (kit, needs) => ({
    door: { findTeam, getTeamByPath, resolveScope, listScopes, selfAndAncestors },
    routes: teamRoutes(kit, needs),
    problems: [teamProblem],
  }),
})
