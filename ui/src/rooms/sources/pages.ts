import { eventRecordRoutes } from '@signalbox/contracts/events/routes'
import { deliveryRoutes, sourceRoutes } from '@signalbox/contracts/sources/routes'
import { IconHelpCircle, IconInbox, IconPlugConnected } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAhead, readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import {
  type ActionEntry,
  type NavigationEntry,
  shellRoute,
  teamPathQuery,
  teamQuery,
  teamRoute,
} from '../../shell/index.ts'
import { readDeliveryFilters } from './delivery-filters.ts'
import { readTraceAddress } from './trace-address.ts'
import { readWhyAddress } from './why-address.ts'

const sourcesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'sources',
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, sourceRoutes.listSources, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./sources-page.tsx'), 'SourcesPage'),
})

const newSourcePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'sources/new',
  component: lazyRouteComponent(() => import('./new-source-page.tsx'), 'NewSourcePage'),
})

const deliveriesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'deliveries',
  validateSearch: readDeliveryFilters,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps: { source, ...others } }) =>
    readPagesAhead(context.queries, deliveryRoutes.listAllDeliveries, {
      query: { ...teamQuery(params.team), ...others, ...(source === undefined ? {} : { source: [source] }) },
    }),
  component: lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
})

const sourcePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'sources/$id',
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, sourceRoutes.getSource, { params: { sourceID: params.id } }),
  component: lazyRouteComponent(() => import('./source-page.tsx'), 'SourcePage'),
})

const deliveryPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'sources/$id/deliveries/$delivery',
  validateSearch: readTraceAddress,
  loader: ({ context, params }) =>
    readAhead(context.queries, deliveryRoutes.getDelivery, {
      params: { sourceID: params.id, deliveryID: params.delivery },
    }),
  component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
})

const eventPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'events/$id',
  validateSearch: readTraceAddress,
  loader: ({ context, params }) =>
    readAhead(context.queries, eventRecordRoutes.getEvent, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./event-page.tsx'), 'EventPage'),
})

const whyPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'why',
  validateSearch: readWhyAddress,
  component: lazyRouteComponent(() => import('./why-page.tsx'), 'WhyPage'),
})

export const teamPages = [sourcesPage, newSourcePage, deliveriesPage] as const
export const pages = [sourcePage, deliveryPage, eventPage, whyPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Deliveries', icon: IconInbox, path: 'deliveries', group: 'causes', permission: 'delivery.read', key: 'd' },
  {
    label: 'Sources',
    icon: IconPlugConnected,
    path: 'sources',
    group: 'causes',
    permission: 'webhook_source.read',
    key: 'o',
  },
  {
    label: 'Why nothing started',
    icon: IconHelpCircle,
    path: '/why',
    group: 'causes',
    permission: 'delivery.read',
    key: 'w',
  },
]

export const actions: readonly ActionEntry[] = [
  { label: 'Create a source', path: 'sources/new', permission: 'webhook_source.write' },
]
