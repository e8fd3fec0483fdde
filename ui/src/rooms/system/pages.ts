import { IconBinaryTree2, IconInfoCircle, IconSettings, IconStethoscope, IconUser } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute } from '../../shell/index.ts'
import { readGitAppSearch } from './git-app-outcome.ts'
import { readSettingsAddress } from './settings.ts'

const preflightPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/preflight',
  component: lazyRouteComponent(() => import('./preflight-page.tsx'), 'PreflightPage'),
})

const dispatcherPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/dispatcher',
  component: lazyRouteComponent(() => import('./dispatcher-page.tsx'), 'DispatcherPage'),
})

const usersPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/users',
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
})

const userPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/users/$id',
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
})

const settingsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/settings',
  validateSearch: readSettingsAddress,
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})

const aboutPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/about',
  component: lazyRouteComponent(() => import('./about-page.tsx'), 'AboutPage'),
})

const gitAppsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/git-apps',
  validateSearch: readGitAppSearch,
  component: lazyRouteComponent(() => import('./git-apps-page.tsx'), 'GitAppsPage'),
})

export const pages = [preflightPage, dispatcherPage, usersPage, userPage, settingsPage, aboutPage, gitAppsPage] as const

export const navigation: readonly NavigationEntry[] = [
  {
    label: 'Dispatcher',
    icon: IconBinaryTree2,
    path: '/system/dispatcher',
    group: 'system',
    permission: 'runner.read',
  },
  { label: 'Preflight', icon: IconStethoscope, path: '/system/preflight', group: 'system', permission: 'system.read' },
  { label: 'Settings', icon: IconSettings, path: '/system/settings', group: 'system', permission: 'system.read' },
  { label: 'Users', icon: IconUser, path: '/system/users', group: 'people', permission: 'user.read' },
  { label: 'About', icon: IconInfoCircle, path: '/system/about', group: 'system' },
]
