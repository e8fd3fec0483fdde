import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import { IconBolt } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type ActionEntry, type NavigationEntry, shellRoute, teamPathQuery, teamRoute } from '../../shell/index.ts'

const triggersPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'triggers',
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, triggerRoutes.listTriggers, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./triggers-page.tsx'), 'TriggersPage'),
})

const newTriggerPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'triggers/new',
  component: lazyRouteComponent(() => import('./trigger-page.tsx'), 'NewTriggerPage'),
})

const triggerPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'triggers/$id',
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, triggerRoutes.getTrigger, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./trigger-page.tsx'), 'TriggerPage'),
})

export const teamPages = [triggersPage, newTriggerPage] as const
export const pages = [triggerPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Triggers', icon: IconBolt, path: 'triggers', group: 'causes', permission: 'trigger.read', key: 't' },
]

export const actions: readonly ActionEntry[] = [
  { label: 'Create a trigger', path: 'triggers/new', permission: 'trigger.write' },
]
