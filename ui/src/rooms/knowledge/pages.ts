import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { IconAlertOctagon, IconBook2 } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type ActionEntry, type NavigationEntry, shellRoute, teamPathQuery, teamRoute } from '../../shell/index.ts'
import { readPlace, readTrialAddress } from './place-address.ts'

const knowledgePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'knowledge',
  validateSearch: readPlace,
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, knowledgeRoutes.listKnowledgeItems, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./knowledge-page.tsx'), 'KnowledgePage'),
})

const itemPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'knowledge/$id',
  validateSearch: readTrialAddress,
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, knowledgeRoutes.getKnowledgeItem, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./item-page.tsx'), 'ItemPage'),
})

const emergenciesPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'emergencies',
  validateSearch: ({ declare }): { readonly declare?: true } => (declare === true ? { declare } : {}),
  loader: ({ context }) => readPagesAhead(context.queries, knowledgeRoutes.listEmergencies),
  component: lazyRouteComponent(() => import('./emergencies-page.tsx'), 'EmergenciesPage'),
})

export const teamPages = [knowledgePage] as const
export const pages = [itemPage, emergenciesPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Knowledge', icon: IconBook2, path: 'knowledge', group: 'catalog', permission: 'knowledge.read', key: 'k' },
  {
    label: 'Emergencies',
    icon: IconAlertOctagon,
    path: '/emergencies',
    group: 'work',
    permission: 'knowledge.read',
    key: 'e',
  },
]

export const actions: readonly ActionEntry[] = [
  { label: 'Declare an emergency', path: '/emergencies?declare=true', permission: 'emergency.declare' },
]
