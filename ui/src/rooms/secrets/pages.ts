import { IconKey } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, teamRoute } from '../../shell/index.ts'

const secretsPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'secrets',
  component: lazyRouteComponent(() => import('./secrets-page.tsx'), 'SecretsPage'),
})

export const teamPages = [secretsPage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Secrets', icon: IconKey, path: 'secrets', group: 'catalog', permission: 'secret.read' },
]
