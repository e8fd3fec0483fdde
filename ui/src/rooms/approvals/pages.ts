import { IconChecks } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, teamRoute } from '../../shell/index.ts'

const approvalsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'approvals',
  component: lazyRouteComponent(() => import('./approvals-page.tsx'), 'ApprovalsPage'),
})

export const teamPages = [approvalsPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Approvals', icon: IconChecks, path: 'approvals', group: 'work', permission: 'run.read', key: 'a' },
]
