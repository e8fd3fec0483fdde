const KEY = 'signalbox-signed-in'

/**
 * Whether this browser has signed in before and not signed out: without it the page asks for the password at once, and
 * sends no request that must fail. The server alone knows whether the session still lasts.
 */
export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return true
  }
}

/** Noted when somebody signs in, or leaves for a provider to do so. */
export function noteSignIn(): void {
  try {
    localStorage.setItem(KEY, 'yes')
  } catch {
    // A browser that stores nothing asks the server each time.
  }
}

export function forgetSignIn(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing was stored.
  }
}
