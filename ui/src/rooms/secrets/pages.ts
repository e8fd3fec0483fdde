import { IconKey } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'

const secretsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'secrets',
  component: lazyRouteComponent(() => import('./secrets-page.tsx'), 'SecretsPage'),
})

const secretPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'secrets/$id',
  component: lazyRouteComponent(() => import('./secret-page.tsx'), 'SecretPage'),
})

export const teamPages = [secretsPage] as const
export const pages = [secretPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Secrets', icon: IconKey, path: 'secrets', group: 'catalog', permission: 'secret.read' },
]
