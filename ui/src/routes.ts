import { createHashHistory, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { createQueryClient } from './client/index.ts'
import { galleryPages } from './gallery/pages.ts'
import * as artifacts from './rooms/artifacts/pages.ts'
import * as profiles from './rooms/profiles/pages.ts'
import * as runs from './rooms/runs/pages.ts'
import * as secrets from './rooms/secrets/pages.ts'
import * as sessions from './rooms/sessions/pages.ts'
import { type NavigationEntry, rememberedTeam, rootRoute, shellRoute, teamRoute } from './shell/index.ts'

// The only file that knows every room of the page: a room adds its pages and its entries here.

const startPage = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/t/$team/runs', params: { team: rememberedTeam() } })
  },
})

const routeTree = rootRoute.addChildren([
  ...sessions.publicPages,
  ...galleryPages,
  shellRoute.addChildren([
    startPage,
    ...runs.pages,
    ...profiles.pages,
    teamRoute.addChildren([...runs.teamPages, ...profiles.teamPages, ...secrets.teamPages, ...artifacts.teamPages]),
  ]),
])

const NAVIGATION: readonly NavigationEntry[] = [
  ...runs.navigation,
  ...profiles.navigation,
  ...secrets.navigation,
  ...artifacts.navigation,
]

export const queries = createQueryClient()

export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  context: { queries, navigation: NAVIGATION },
  defaultPreload: 'intent',
  scrollRestoration: true,
  // The address is written for people: `?status=failure`, not JSON.
  defaultStructuralSharing: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
