import { connection } from './connection.ts'

/** The build that this page is of, as the control plane wrote it into the document. */
function ownVersion(): string | undefined {
  const version = document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content
  // The development server serves the document as it is.
  return version === undefined || version === '' || version.startsWith('__') ? undefined : version
}

/**
 * Notes whether a newer build is served: asked when the control plane was away, when the tab is shown again, and when a part
 * of the page cannot be had.
 */
export async function checkVersion(): Promise<void> {
  const own = ownVersion()
  if (own === undefined || connection.state.isOutdated) return
  try {
    const response = await fetch(new URL('./version.json', document.baseURI), { cache: 'no-store' })
    if (!response.ok) return
    const served: unknown = await response.json()
    if (typeof served !== 'object' || served === null || !('version' in served)) return
    if (served.version !== own) connection.outdated()
  } catch {
    // The control plane is away: it is asked again when it is back.
  }
}

/** Watches for newer builds; answers how to stop. */
export function watchVersion(): () => void {
  const onShown = (): void => {
    if (!document.hidden) void checkVersion()
  }
  document.addEventListener('visibilitychange', onShown)
  const forget = connection.onReturn(() => void checkVersion())
  return () => {
    document.removeEventListener('visibilitychange', onShown)
    forget()
  }
}
