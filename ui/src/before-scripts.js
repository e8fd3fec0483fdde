// Runs while the scripts of the page are still on their way.
;(() => {
  let chosen = null
  let isKnown = false
  try {
    // Mantine reads the same key; client/session-hint.ts writes the other.
    chosen = localStorage.getItem('mantine-color-scheme-value')
    isKnown = localStorage.getItem('signalbox-signed-in') !== null
  } catch {
    // A browser that stores nothing shows the scheme of the system.
  }
  // Before the first paint, so that a dark page does not flash in light.
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  // Every page but that of signing in first asks who is signed in: client/begun.ts takes the answer.
  if (isKnown && !location.hash.startsWith('#/sign-in') && '__ME__'.startsWith('/')) {
    const headers = { accept: 'application/json' }
    const signal = AbortSignal.timeout(30_000)
    globalThis.signalboxMe = fetch('.__ME__', { headers, signal, credentials: 'same-origin', redirect: 'error' })
    // Whoever takes it hears of a failure.
    globalThis.signalboxMe.catch(() => undefined)
  }
})()
