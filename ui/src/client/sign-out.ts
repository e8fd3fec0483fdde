import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { call } from './call.ts'
import { ApiProblem } from './problem.ts'
import { forgetSignIn } from './session-hint.ts'

/** Ends the session, and loads the page anew: nothing that was read with it stays in memory. */
export async function signOut(): Promise<void> {
  try {
    await call(sessionRoutes.signOut)
  } catch (error) {
    // It has ended before.
    if (!(error instanceof ApiProblem && error.status === 401)) throw error
  }
  forgetSignIn()
  location.hash = '#/sign-in'
  location.reload()
}
