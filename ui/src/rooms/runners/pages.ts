import { IconServer2, IconStack2 } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'
import { readNeed } from './need.ts'

const queuePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'queue',
  component: lazyRouteComponent(() => import('./queue-page.tsx'), 'QueuePage'),
})

const runnersPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'runners',
  validateSearch: readNeed,
  component: lazyRouteComponent(() => import('./runners-page.tsx'), 'RunnersPage'),
})

const runnerPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'runners/$id',
  component: lazyRouteComponent(() => import('./runner-page.tsx'), 'RunnerPage'),
})

export const teamPages = [queuePage, runnersPage] as const
export const pages = [runnerPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Queue', icon: IconStack2, path: 'queue', group: 'work', permission: 'run.read', key: 'q' },
  { label: 'Runners', icon: IconServer2, path: 'runners', group: 'catalog', permission: 'runner.read', key: 'n' },
]
