import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { IconHierarchy2 } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, shellRoute } from '../../shell/index.ts'

const teamsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'teams',
  loader: ({ context }) => readPagesAhead(context.queries, teamRoutes.listTeams, { query: { limit: 500 } }),
  component: lazyRouteComponent(() => import('./teams-page.tsx'), 'TeamsPage'),
})

const teamPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'teams/$id',
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, teamRoutes.getTeam, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
})

export const pages = [teamsPage, teamPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Teams', icon: IconHierarchy2, path: '/teams', group: 'people', permission: 'team.read' },
]
