import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { IconWebhook } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, shellRoute, teamPathQuery, teamRoute } from '../../shell/index.ts'

const externalTriggersPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'external-triggers',
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, externalTriggerRoutes.listExternalTriggers, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./external-triggers-page.tsx'), 'ExternalTriggersPage'),
})

const newExternalTriggerPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'external-triggers/new',
  component: lazyRouteComponent(() => import('./new-external-trigger-page.tsx'), 'NewExternalTriggerPage'),
})

const externalTriggerPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'external-triggers/$id',
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, externalTriggerRoutes.getExternalTrigger, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./external-trigger-page.tsx'), 'ExternalTriggerPage'),
})

export const teamPages = [externalTriggersPage, newExternalTriggerPage] as const
export const pages = [externalTriggerPage] as const

export const navigation: readonly NavigationEntry[] = [
  {
    label: 'External triggers',
    icon: IconWebhook,
    path: 'external-triggers',
    group: 'causes',
    permission: 'external_trigger.read',
  },
]
