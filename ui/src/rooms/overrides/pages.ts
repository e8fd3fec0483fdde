import { IconReplace } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type NavigationEntry, shellRoute, teamRoute } from '../../shell/index.ts'
import { readOverrideAddress } from './override-address.ts'

const overridesPage = createRoute({
  getParentRoute: () => teamRoute,
  path: 'overrides',
  component: lazyRouteComponent(() => import('./overrides-page.tsx'), 'OverridesPage'),
})

const overridePage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'overrides/$owner/$name',
  validateSearch: readOverrideAddress,
  component: lazyRouteComponent(() => import('./override-page.tsx'), 'OverridePage'),
})

export const teamPages = [overridesPage] as const
export const pages = [overridePage] as const

export const navigation: readonly NavigationEntry[] = [
  { label: 'Overrides', icon: IconReplace, path: 'overrides', group: 'causes', permission: 'override.read' },
]
