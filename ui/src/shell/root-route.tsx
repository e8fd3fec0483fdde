import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { ApiProblem } from '../client/problem.ts'
import { meQuery } from '../client/session.ts'
import { forgetSignIn, mayBeSignedIn } from '../client/session-hint.ts'
import type { ActionEntry, NavigationEntry } from './navigation.ts'
import { NotFound } from './not-found.tsx'
import { PageFailure } from './page-failure.tsx'
import { Shell } from './shell.tsx'

/** What the loaders of all pages may use. */
export interface PageContext {
  readonly queries: QueryClient
  /** The entries of all rooms. */
  readonly navigation: readonly NavigationEntry[]
  /** What the rooms offer to do. */
  readonly actions: readonly ActionEntry[]
}

/** All pages. */
export const rootRoute = createRootRouteWithContext<PageContext>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: PageFailure,
})

/** Pages of those who are signed in; others sign in first and come back to where they wanted to go. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    if (!mayBeSignedIn()) throw askForSignIn(location.href)
    try {
      await context.queries.ensureQueryData({ ...meQuery, retry: false })
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) {
        throw askForSignIn(location.href)
      }
      // The control plane is away: the shell says so, and the pages show what they have.
    }
  },
})

/** Whoever signs in next, here or in another tab, may be somebody else. */
function askForSignIn(wanted: string): ReturnType<typeof redirect> {
  forgetSignIn()
  return redirect({ to: '/sign-in', search: { wanted } })
}

/** Pages of one team and those below it: `#/t/acme%2Fweb/runs`. `~` stands for all that one may see. */
export const teamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 't/$team',
  component: Outlet,
})
