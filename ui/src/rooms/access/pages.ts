import { IconRobot, IconShieldHalf, IconUsers, IconUsersGroup } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'
import { readAccessQuestion } from './access-question.ts'

const membersPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'members',
  validateSearch: readAccessQuestion,
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})

const accountsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'service-accounts',
  component: lazyRouteComponent(() => import('./service-accounts-page.tsx'), 'ServiceAccountsPage'),
})

const groupsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'groups',
  component: lazyRouteComponent(() => import('./groups-page.tsx'), 'GroupsPage'),
})

const groupPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'groups/$id',
  component: lazyRouteComponent(() => import('./group-page.tsx'), 'GroupPage'),
})

const rolesPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'roles',
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
