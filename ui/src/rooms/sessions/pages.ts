import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/index.ts'

const signInPage = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: (search: Record<string, unknown>): { readonly wanted?: string; readonly error?: string } => ({
    ...(typeof search['wanted'] === 'string' && isOfPage(search['wanted']) ? { wanted: search['wanted'] } : {}),
    ...(typeof search['error'] === 'string' ? { error: search['error'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

/** Only an address of this page: whoever signs in must not land elsewhere. */
function isOfPage(address: string): boolean {
  return address.startsWith('/') && !address.startsWith('//')
}

/** Pages for those who are not signed in yet. */
export const publicPages = [signInPage] as const
