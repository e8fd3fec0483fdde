import { planRoutes } from '@signalbox/contracts/plans/routes'
import { IconChecks } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAhead, readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, shellRoute } from '../../shell/index.ts'
import { readPlansAddress } from './plans-address.ts'

const plansPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'plans',
  validateSearch: readPlansAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    readPagesAhead(context.queries, planRoutes.listPlans, { query: { show: deps.show ?? 'to_approve' } }),
  component: lazyRouteComponent(() => import('./plans-page.tsx'), 'PlansPage'),
})

const planPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'plans/$id',
  loader: ({ context, params }) => readAhead(context.queries, planRoutes.getPlan, { params }),
  component: lazyRouteComponent(() => import('./plan-page.tsx'), 'PlanPage'),
})

export const pages = [plansPage, planPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Plans', icon: IconChecks, path: '/plans', group: 'work', key: 'l' },
]
