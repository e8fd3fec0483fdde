import { IconBox } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'

const profilesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'profiles',
  component: lazyRouteComponent(() => import('./profiles-page.tsx'), 'ProfilesPage'),
})

const profilePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'profiles/$id',
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})

export const teamPages = [profilesPage] as const
export const pages = [profilePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Profiles', icon: IconBox, path: 'profiles', group: 'catalog', permission: 'profile.read' },
]
