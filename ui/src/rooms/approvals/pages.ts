import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, teamRoute } from '../../shell/index.ts'

const approvalsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'approvals',
  component: lazyRouteComponent(() => import('./approvals-page.tsx'), 'ApprovalsPage'),
})

export const teamPages = [approvalsPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Approvals', path: 'approvals', group: 'work', permission: 'run.read', key: 'a' },
]
