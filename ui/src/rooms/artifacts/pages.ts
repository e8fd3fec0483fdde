import { artifactRoutes } from '@signalbox/contracts/artifacts/routes'
import { IconDatabase } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readAhead } from '../../client/index.ts'
import { EVERY_TEAM, type NavigationEntry, teamRoute } from '../../shell/index.ts'

const storagePage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'storage',
  loader: ({ context, params: { team } }) => {
    if (team !== EVERY_TEAM) readAhead(context.queries, artifactRoutes.getStorage, { query: { team_path: team } })
  },
  component: lazyRouteComponent(() => import('./storage-page.tsx'), 'StoragePage'),
})

export const teamPages = [storagePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Storage', icon: IconDatabase, path: 'storage', group: 'catalog', permission: 'artifact.read' },
]
