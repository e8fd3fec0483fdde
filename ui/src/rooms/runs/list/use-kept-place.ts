import { useRouterState } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'

/** How far down each visit of a list was, by the entry of the browser's history; one that was typed in has its address. */
const places = new Map<string, number>()

/** Who comes back to a list finds it where it was left, as soon as its rows are there. */
export function useKeptPlace(isThere: boolean): void {
  const href = useRouterState({ select: ({ location }) => location.href })
  useLayoutEffect(() => {
    if (!isThere) return undefined
    const entry = entryOf(window.history.state) ?? href
    const place = places.get(entry)
    // After the router, which begins each page at its top.
    const frame = place === undefined ? undefined : requestAnimationFrame(() => window.scrollTo(0, place))
    const note = (): void => void places.set(entry, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => {
      window.removeEventListener('scroll', note)
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [href, isThere])
}

/** The router's name of the entry. */
function entryOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('__TSR_key' in state)) return undefined
  return typeof state.__TSR_key === 'string' ? state.__TSR_key : undefined
}
