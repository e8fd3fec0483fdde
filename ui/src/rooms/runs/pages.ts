import { IconPlayerPlay } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { withFirstFrame } from '../../client/first-frame.ts'
import { type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'
import { runQuery, runsQuery } from './queries.ts'
import { readRunAddress } from './run-address.ts'
import { readRunFilters } from './run-filters.ts'

const runsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'runs',
  validateSearch: readRunFilters,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    withFirstFrame(context.queries.prefetchInfiniteQuery(runsQuery(params.team, deps))),
  component: lazyRouteComponent(() => import('./runs-page.tsx'), 'RunsPage'),
})

const runPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'runs/$id',
  validateSearch: readRunAddress,
  loader: ({ context, params }) => withFirstFrame(context.queries.prefetchQuery(runQuery(params.id))),
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

const comparePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'runs/$id/compare',
  validateSearch: ({ other }: Readonly<Record<string, unknown>>): { readonly other?: string } =>
    typeof other === 'string' ? { other } : {},
  component: lazyRouteComponent(() => import('./compare/compare-page.tsx'), 'ComparePage'),
})

export const teamPages = [runsPage] as const
export const pages = [runPage, comparePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Runs', icon: IconPlayerPlay, path: 'runs', group: 'work', permission: 'run.read', key: 'r' },
]
