import { takeBegun } from './begun.ts'
import { browserStorage, keepsThings } from './browser-storage.ts'

const KEY = 'signalbox-signed-in'

/**
 * Whether this browser has signed in before and not signed out: without it the page asks for the password at once, and
 * sends no request that must fail. The server alone knows whether the session still lasts.
 */
export function mayBeSignedIn(): boolean {
  return !keepsThings() || browserStorage.getItem(KEY) !== null
}

/** Noted when somebody signs in, or leaves for a provider to do so. What was asked before is of who was there before. */
export function noteSignIn(): void {
  void takeBegun()
  browserStorage.setItem(KEY, 'yes')
}

export function forgetSignIn(): void {
  void takeBegun()
  browserStorage.removeItem(KEY)
}
