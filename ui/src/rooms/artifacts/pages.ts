import { IconDatabase } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, teamRoute } from '../../shell/index.ts'

const storagePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'storage',
  component: lazyRouteComponent(() => import('./storage-page.tsx'), 'StoragePage'),
})

export const teamPages = [storagePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Storage', icon: IconDatabase, path: 'storage', group: 'catalog', permission: 'artifact.read' },
]
