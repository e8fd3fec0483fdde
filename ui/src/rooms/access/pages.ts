import { groupRoutes, identityRoutes, serviceAccountRoutes } from '@signalbox/contracts/access/routes'
import { IconRobot, IconShieldHalf, IconUsers, IconUsersGroup } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAhead, readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'
import { readTexts } from '../../shell/search-texts.ts'

const membersPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'members',
  // The page asks by itself: what its filters may be is not known before it is loaded.
  validateSearch: (search: Record<string, unknown>) =>
    readTexts(search, ['subject', 'permission', 'kind', 'role', 'origin', 'name'] as const),
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})

const accountsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'service-accounts',
  loader: ({ context }) =>
    readPagesAhead(context.queries, serviceAccountRoutes.listServiceAccounts, { query: { limit: 200 } }),
  component: lazyRouteComponent(() => import('./service-accounts-page.tsx'), 'ServiceAccountsPage'),
})

const groupsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'groups',
  loader: ({ context }) => readPagesAhead(context.queries, groupRoutes.listGroups),
  component: lazyRouteComponent(() => import('./groups-page.tsx'), 'GroupsPage'),
})

const groupPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'groups/$id',
  loader: ({ context, params }) => readAhead(context.queries, groupRoutes.getGroup, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./group-page.tsx'), 'GroupPage'),
})

const rolesPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'roles',
  loader: ({ context }) => readAhead(context.queries, identityRoutes.listPermissions),
  component: lazyRouteComponent(() => import('./roles-page.tsx'), 'RolesPage'),
})

export const teamPages = [membersPage, accountsPage] as const
export const pages = [groupsPage, groupPage, rolesPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Members', icon: IconUsers, path: 'members', group: 'people', permission: 'grant.read' },
  {
    label: 'Service accounts',
    icon: IconRobot,
    path: 'service-accounts',
    group: 'people',
    permission: 'service_account.read',
  },
  { label: 'Groups', icon: IconUsersGroup, path: '/groups', group: 'people', permission: 'user.read' },
  { label: 'Roles', icon: IconShieldHalf, path: '/roles', group: 'people' },
]
