import { overrideRoutes } from '@signalbox/contracts/overrides/routes'
import { IconReplace } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDocumentAhead, readPagesAhead } from '../../client/index.ts'
import { type NavigationEntry, shellRoute, teamPathQuery, teamRoute } from '../../shell/index.ts'
import { readOverrideAddress } from './override-address.ts'

const overridesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'overrides',
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, overrideRoutes.listOverrides, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./overrides-page.tsx'), 'OverridesPage'),
})

const overridePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'overrides/$owner/$name',
  validateSearch: readOverrideAddress,
  loader: ({ context, params }) =>
    readDocumentAhead(context.queries, overrideRoutes.getOverride, {
      params: { repoOwner: params.owner, repoName: params.name },
    }),
  component: lazyRouteComponent(() => import('./override-page.tsx'), 'OverridePage'),
})

export const teamPages = [overridesPage] as const
export const pages = [overridePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Overrides', icon: IconReplace, path: 'overrides', group: 'causes', permission: 'override.read' },
]
