import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/index.ts'
import { readTexts } from '../../shell/search-texts.ts'

const identitiesPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'account/identities',
  // Why an account could not be linked: the way back from the provider says so.
  validateSearch: (search: Record<string, unknown>): { readonly error?: string } =>
    readTexts(search, ['error'] as const),
  component: lazyRouteComponent(() => import('./identities-page.tsx'), 'IdentitiesPage'),
})

export const pages = [identitiesPage] as const
