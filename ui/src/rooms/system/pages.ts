import { aboutRoutes } from '@signalbox/contracts/about/routes'
import { userRoutes } from '@signalbox/contracts/access/routes'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { setupRoutes } from '@signalbox/contracts/setup/routes'
import { IconBinaryTree2, IconInfoCircle, IconSettings, IconStethoscope, IconUser } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAhead, readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, shellRoute } from '../../shell/index.ts'
import { readSettingsAddress } from './settings.ts'

const preflightPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/preflight',
  loader: ({ context }) => readAhead(context.queries, setupRoutes.getPreflight),
  component: lazyRouteComponent(() => import('./preflight-page.tsx'), 'PreflightPage'),
})

const dispatcherPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/dispatcher',
  loader: ({ context }) => readAhead(context.queries, dispatchRoutes.getDispatcher),
  component: lazyRouteComponent(() => import('./dispatcher-page.tsx'), 'DispatcherPage'),
})

const usersPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/users',
  loader: ({ context }) => readPagesAhead(context.queries, userRoutes.listUsers, {}),
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
})

const userPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/users/$id',
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, userRoutes.getUser, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
})

const settingsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/settings',
  validateSearch: readSettingsAddress,
  loader: ({ context }) => readAhead(context.queries, aboutRoutes.listSettings),
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})

const aboutPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/about',
  loader: ({ context }) => readAhead(context.queries, aboutRoutes.getAbout),
  component: lazyRouteComponent(() => import('./about-page.tsx'), 'AboutPage'),
})

export const pages = [preflightPage, dispatcherPage, usersPage, userPage, settingsPage, aboutPage] as const

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
