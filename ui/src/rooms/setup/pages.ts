import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/index.ts'
import { readStep, type Step } from './steps.ts'

const setupPage = createRoute({
  getParentRoute: () => rootRoute,
  path: 'setup',
  validateSearch: (search: Record<string, unknown>): { readonly step?: Step; readonly team?: string } => ({
    ...readStep(search['step']),
    ...(typeof search['team'] === 'string' ? { team: search['team'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./setup-page.tsx'), 'SetupPage'),
})

/** For those who are not signed in yet. */
export const publicPages = [setupPage] as const
