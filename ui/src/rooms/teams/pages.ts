import { IconHierarchy2 } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute } from '../../shell/index.ts'

const teamsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'teams',
  component: lazyRouteComponent(() => import('./teams-page.tsx'), 'TeamsPage'),
})

const teamPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'teams/$id',
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
})

export const pages = [teamsPage, teamPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Teams', icon: IconHierarchy2, path: '/teams', group: 'people', permission: 'team.read' },
]
