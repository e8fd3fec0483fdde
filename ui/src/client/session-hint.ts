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

const USER_KEY = 'signalbox-user'

/** Tells the other tabs of this browser who is signed in: the cookie is the same for all of them. */
export function tellUser(id: string): void {
  try {
    if (localStorage.getItem(USER_KEY) !== id) localStorage.setItem(USER_KEY, id)
  } catch {
    // The other tabs find out with their next look.
  }
}

/** Calls back when another tab tells of another user; answers how to stop. */
export function onOtherUser(id: string, listener: () => void): () => void {
  const hear = ({ key, newValue }: StorageEvent): void => {
    if (key === USER_KEY && newValue !== null && newValue !== id) listener()
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}
