import { profileRoutes } from '@signalbox/contracts/profiles/routes'
import { IconBox } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, shellRoute, teamPathQuery, teamRoute } from '../../shell/index.ts'

const profilesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'profiles',
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, profileRoutes.listProfiles, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./profiles-page.tsx'), 'ProfilesPage'),
})

const profilePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'profiles/$id',
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, profileRoutes.getProfile, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})

export const teamPages = [profilesPage] as const
export const pages = [profilePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Profiles', icon: IconBox, path: 'profiles', group: 'catalog', permission: 'profile.read' },
]
