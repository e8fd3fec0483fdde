import { IconHome } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { preferencesQuery } from '../../client/preferences.ts'
import { type NavigationEntry, teamRoute } from '../../shell/index.ts'

const homePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'home',
  // The numbers are asked for since one last looked, which the preferences hold.
  loader: ({ context }) => void context.queries.prefetchQuery(preferencesQuery),
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const teamPages = [homePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Home', icon: IconHome, path: 'home', group: 'work', permission: 'team.read', key: 'h' },
]
