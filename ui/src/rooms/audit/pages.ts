import { auditRoutes } from '@signalbox/contracts/audit/routes'
import { IconHistory } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, shellRoute } from '../../shell/index.ts'
import { readAuditFilters } from './audit-filters.ts'

const auditPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'audit',
  validateSearch: readAuditFilters,
  loaderDeps: ({ search: { record: _shown, ...filters } }) => filters,
  loader: ({ context, deps }) => readPagesAhead(context.queries, auditRoutes.listAuditRecords, { query: deps }),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})

export const pages = [auditPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Audit', icon: IconHistory, path: '/audit', group: 'people', permission: 'audit.read' },
]
