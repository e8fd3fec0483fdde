import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/index.ts'

const preferencesPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'preferences',
  component: lazyRouteComponent(() => import('./preferences-page.tsx'), 'PreferencesPage'),
})

export const pages = [preferencesPage] as const
