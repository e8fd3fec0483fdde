import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { browserStorage } from './browser-storage.ts'
import { exchange } from './call.ts'
import { dropKeptWork, isKeptWork } from './kept-work.ts'
import { atLast } from './last-calls.ts'
import { pageUserId } from './page-user.ts'
import { ApiProblem } from './problem.ts'
import { tellSignOut } from './tabs.ts'

/** The names of what the page keeps; that of Mantine for the colours stays. */
const OURS = 'signalbox-'

/**
 * Ends the session, forgets all that the browser kept for its user, and loads the page anew: nothing that was read with it
 * stays in memory. Other tabs of the user do the same.
 */
export async function signOut(): Promise<void> {
  await atLast(endSession)
  const id = pageUserId()
  if (id !== undefined) tellSignOut(id)
  leave()
}

async function endSession(): Promise<void> {
  try {
    await exchange(sessionRoutes.signOut, { isLast: true })
  } catch (error) {
    // It has ended before.
    if (!(error instanceof ApiProblem && error.status === 401)) throw error
  }
}

/** Forgets the user of this tab, and asks who comes next. */
export function leave(): void {
  const id = pageUserId()
  if (id !== undefined) dropKeptWork(id)
  // Work of others whose sessions merely ended waits for them.
  for (const key of browserStorage.keys()) if (key.startsWith(OURS) && !isKeptWork(key)) browserStorage.removeItem(key)
  // The router keeps where one had scrolled to, by address, at the same moment; its listener was there first.
  addEventListener('pagehide', forgetTab)
  location.hash = '#/sign-in'
  location.reload()
}

function forgetTab(): void {
  try {
    sessionStorage.clear()
  } catch {
    // Nothing was kept.
  }
}

/** Ends every session of the person, this one last. */
export async function signOutEverywhere(): Promise<void> {
  await atLast(() => exchange(sessionRoutes.revokeSessions, { isLast: true }))
  await signOut()
}
