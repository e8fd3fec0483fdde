import { tokenRoutes } from '@signalbox/contracts/access/routes'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readPagesAhead } from '../../client/index.ts'
import { rootRoute, shellRoute } from '../../shell/index.ts'

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

const sessionsPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'account/sessions',
  loader: ({ context }) => readPagesAhead(context.queries, sessionRoutes.listSessions),
  component: lazyRouteComponent(() => import('./sessions-page.tsx'), 'SessionsPage'),
})

const tokensPage = createRoute({
  getParentRoute: () => shellRoute,
  path: 'account/tokens',
  loader: ({ context }) => readPagesAhead(context.queries, tokenRoutes.listTokens, { query: { own: true } }),
  component: lazyRouteComponent(() => import('./tokens-page.tsx'), 'TokensPage'),
})

/** Pages for those who are not signed in yet. */
export const publicPages = [signInPage] as const
export const pages = [sessionsPage, tokensPage] as const
