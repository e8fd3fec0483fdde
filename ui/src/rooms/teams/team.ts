import type { ItemOf } from '@signalbox/contracts/http/requests'
import type { teamRoutes } from '@signalbox/contracts/teams/routes'

export type Team = ItemOf<typeof teamRoutes.listTeams>
export type Environment = ItemOf<typeof teamRoutes.listEnvironments>

/** Teams in the order of a tree, each with how deep it lies below the topmost one that is seen. */
export function treeOf(teams: readonly Team[]): readonly { readonly team: Team; readonly depth: number }[] {
  const seen = new Set(teams.map(({ path }) => path))
  return teams
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((team) => {
      const parts = team.path.split('/')
      const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
      return { team, depth: above.filter((path) => seen.has(path)).length }
    })
}
