import { createHashHistory, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { takeBegun } from './client/begun.ts'
import { createQueryClient } from './client/index.ts'
import { mayBeSignedIn } from './client/session-hint.ts'
import { galleryPages } from './gallery/pages.ts'
import * as access from './rooms/access/pages.ts'
import * as approvals from './rooms/approvals/pages.ts'
import * as artifacts from './rooms/artifacts/pages.ts'
import * as audit from './rooms/audit/pages.ts'
import * as externalTriggers from './rooms/external-triggers/pages.ts'
import * as gitApps from './rooms/git-apps/pages.ts'
import * as identities from './rooms/identities/pages.ts'
import * as knowledge from './rooms/knowledge/pages.ts'
import * as mcp from './rooms/mcp/pages.ts'
import * as overrides from './rooms/overrides/pages.ts'
import * as overview from './rooms/overview/pages.ts'
import * as pipelines from './rooms/pipelines/pages.ts'
import * as plans from './rooms/plans/pages.ts'
import * as preferences from './rooms/preferences/pages.ts'
import * as profiles from './rooms/profiles/pages.ts'
import * as runners from './rooms/runners/pages.ts'
import * as runs from './rooms/runs/pages.ts'
import * as schedules from './rooms/schedules/pages.ts'
import * as secrets from './rooms/secrets/pages.ts'
import * as sessions from './rooms/sessions/pages.ts'
import * as setup from './rooms/setup/pages.ts'
import * as sources from './rooms/sources/pages.ts'
import * as system from './rooms/system/pages.ts'
import * as teams from './rooms/teams/pages.ts'
import * as triggers from './rooms/triggers/pages.ts'
import {
  type ActionEntry,
  EVERY_TEAM,
  type NavigationEntry,
  rememberedTeam,
  rootRoute,
  shellRoute,
  teamRoute,
} from './shell/index.ts'

// The only file that knows every room of the page: a room adds its pages and its entries here, in a line each.

const startPage = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({
      to: rememberedTeam() === EVERY_TEAM ? '/t/$team/runs' : '/t/$team/home',
      params: { team: rememberedTeam() },
    })
  },
})

/** Pages of one team and those below it. */
const teamPages = [
  ...overview.teamPages,
  ...runs.teamPages,
  ...pipelines.teamPages,
  ...approvals.teamPages,
  ...runners.teamPages,
  ...sources.teamPages,
  ...gitApps.teamPages,
  ...schedules.teamPages,
  ...triggers.teamPages,
  ...externalTriggers.teamPages,
  ...overrides.teamPages,
  ...knowledge.teamPages,
  ...profiles.teamPages,
  ...secrets.teamPages,
  ...artifacts.teamPages,
  ...access.teamPages,
] as const

/** Pages of one object, and of the platform. */
const pages = [
  startPage,
  ...runs.pages,
  ...sessions.pages,
  ...identities.pages,
  ...pipelines.pages,
  ...sources.pages,
  ...knowledge.pages,
  ...runners.pages,
  ...schedules.pages,
  ...triggers.pages,
  ...externalTriggers.pages,
  ...overrides.pages,
  ...profiles.pages,
  ...secrets.pages,
  ...teams.pages,
  ...access.pages,
  ...audit.pages,
  ...mcp.pages,
  ...plans.pages,
  ...preferences.pages,
  ...gitApps.pages,
  ...system.pages,
] as const

/** In the order in which they are shown, within their groups. */
const NAVIGATION: readonly NavigationEntry[] = [
  ...overview.navigation,
  ...runs.navigation,
  ...pipelines.navigation,
  ...approvals.navigation,
  ...plans.navigation,
  ...runners.navigation,
  ...sources.navigation,
  ...gitApps.navigation,
  ...schedules.navigation,
  ...triggers.navigation,
  ...externalTriggers.navigation,
  ...overrides.navigation,
  ...knowledge.navigation,
  ...profiles.navigation,
  ...secrets.navigation,
  ...artifacts.navigation,
  ...teams.navigation,
  ...access.navigation,
  ...mcp.navigation,
  ...audit.navigation,
  ...system.navigation,
]

/** What the palette offers to do. */
const ACTIONS: readonly ActionEntry[] = [
  ...pipelines.actions,
  ...triggers.actions,
  ...schedules.actions,
  ...sources.actions,
  ...gitApps.actions,
  ...secrets.actions,
  ...runners.actions,
  ...knowledge.actions,
]

const routeTree = rootRoute.addChildren([
  ...sessions.publicPages,
  ...setup.publicPages,
  ...galleryPages,
  shellRoute.addChildren([...pages, teamRoute.addChildren([...teamPages])]),
])

export const queries = createQueryClient()

export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  context: { queries, navigation: NAVIGATION, actions: ACTIONS },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultStructuralSharing: true,
})

/** Loads the code of the page that the address names, while the control plane is asked who is signed in. */
export function loadAhead(): void {
  if (!mayBeSignedIn()) {
    // Another tab has signed out since it was asked.
    void takeBegun()
    return
  }
  const [matched] = router.getMatchedRoutes(router.latestLocation.pathname)
  // Where somebody signs in, the answer would be that of who was signed in before.
  if (!matched.some(({ id }) => id === shellRoute.id)) void takeBegun()
  for (const route of matched) {
    // What cannot be loaded is told by the page itself.
    router.loadRouteChunk(route)?.catch(() => undefined)
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
