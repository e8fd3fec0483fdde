import { IconHistory } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute } from '../../shell/index.ts'
import { readAuditFilters } from './audit-filters.ts'

const auditPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'audit',
  validateSearch: readAuditFilters,
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})

export const pages = [auditPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Audit', icon: IconHistory, path: '/audit', group: 'people', permission: 'audit.read' },
]
