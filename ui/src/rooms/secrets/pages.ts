import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { IconKey } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAhead, readPagesAhead } from '../../client/index.ts'
import { type ActionEntry, type NavigationEntry, shellRoute, teamPathQuery, teamRoute } from '../../shell/index.ts'

const secretsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'secrets',
  validateSearch: ({ create }): { readonly create?: true } => (create === true ? { create } : {}),
  loader: ({ context, params }) =>
    readPagesAhead(context.queries, secretRoutes.listSecrets, { query: teamPathQuery(params.team) }),
  component: lazyRouteComponent(() => import('./secrets-page.tsx'), 'SecretsPage'),
})

const secretPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'secrets/$id',
  loader: ({ context, params }) => readAhead(context.queries, secretRoutes.getSecret, { params: { id: params.id } }),
  component: lazyRouteComponent(() => import('./secret-page.tsx'), 'SecretPage'),
})

export const teamPages = [secretsPage] as const
export const pages = [secretPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Secrets', icon: IconKey, path: 'secrets', group: 'catalog', permission: 'secret.read' },
]

export const actions: readonly ActionEntry[] = [
  { label: 'Store a secret', path: 'secrets?create=true', permission: 'secret.write' },
]
