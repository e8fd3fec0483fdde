import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { IconServer2, IconStack2 } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import {
  type ActionEntry,
  type NavigationEntry,
  shellRoute,
  teamPathQuery,
  teamQuery,
  teamRoute,
} from '../../shell/index.ts'
import { type Need, readNeed } from './need.ts'

const queuePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'queue',
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, runRoutes.listRuns, {
      query: { ...teamQuery(params.team), status: ['queued'], limit: 50 },
    }),
  component: lazyRouteComponent(() => import('./queue-page.tsx'), 'QueuePage'),
})

const runnersPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'runners',
  validateSearch: (search): Need & { readonly enrol?: true } => ({
    ...readNeed(search),
    ...(search['enrol'] === true ? { enrol: true } : {}),
  }),
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, runnerRoutes.listRunners, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./runners-page.tsx'), 'RunnersPage'),
})

const runnerPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'runners/$id',
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, runnerRoutes.getRunner, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./runner-page.tsx'), 'RunnerPage'),
})

export const teamPages = [queuePage, runnersPage] as const
export const pages = [runnerPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Queue', icon: IconStack2, path: 'queue', group: 'work', permission: 'run.read', key: 'q' },
  { label: 'Runners', icon: IconServer2, path: 'runners', group: 'catalog', permission: 'runner.read', key: 'n' },
]

export const actions: readonly ActionEntry[] = [
  { label: 'Enrol a runner', path: 'runners?enrol=true', permission: 'runner.write' },
]
