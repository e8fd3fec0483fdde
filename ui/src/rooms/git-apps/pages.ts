import { gitAppRoutes } from '@signalbox/contracts/git-apps/routes'
import { IconBook2, IconPuzzle } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead } from '../../client/index.ts'
import { type ActionEntry, type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'
import { readGitAppSearch } from './git-app-address.ts'
import { readProvider } from './providers.ts'

const gitAppsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'system/git-apps',
  validateSearch: readGitAppSearch,
  loaderDeps: ({ search: { provider = 'github' } }) => ({ provider }),
  loader: ({ context, deps: { provider } }) =>
    readDocumentAhead(context.queries, gitAppRoutes.getGitApp, { params: { provider } }),
  component: lazyRouteComponent(() => import('./git-apps-page.tsx'), 'GitAppsPage'),
})

const repositoriesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'repositories',
  validateSearch: (search: Record<string, unknown>) => {
    const provider = readProvider(search['provider'])
    return provider === undefined ? {} : { provider }
  },
  component: lazyRouteComponent(() => import('./repositories-page.tsx'), 'RepositoriesPage'),
})

export const pages = [gitAppsPage] as const
export const teamPages = [repositoriesPage] as const

export const navigation: readonly NavigationEntry[] = [
  {
    label: 'Repositories',
    icon: IconBook2,
    path: 'repositories',
    group: 'causes',
    permission: 'webhook_source.read',
  },
  { label: 'Git apps', icon: IconPuzzle, path: '/system/git-apps', group: 'system', permission: 'git_app.read' },
]

export const actions: readonly ActionEntry[] = [
  { label: 'Register a Git app', path: '/system/git-apps', permission: 'git_app.write' },
]
