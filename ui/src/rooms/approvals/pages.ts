import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { IconChecks } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, teamPathQuery, teamRoute } from '../../shell/index.ts'

const approvalsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'approvals',
  validateSearch: ({ state }): { readonly state?: 'decided' } => (state === 'decided' ? { state } : {}),
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    readPagesAhead(context.queries, approvalRoutes.listApprovals, {
      query: { ...deps, ...teamPathQuery(params.team) },
    }),
  component: lazyRouteComponent(() => import('./approvals-page.tsx'), 'ApprovalsPage'),
})

export const teamPages = [approvalsPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Approvals', icon: IconChecks, path: 'approvals', group: 'work', permission: 'run.read', key: 'a' },
]
