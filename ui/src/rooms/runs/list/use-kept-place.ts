import { useRouterState } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { historyEntry } from '../../../components/index.ts'

/** How far down each visit of a list was, by the entry of the browser's history; one that was typed in has its address. */
const places = new Map<string, number>()

/** Who comes back to a list finds it where it was left, as soon as its rows are there. */
export function useKeptPlace(isThere: boolean): void {
  const href = useRouterState({ select: ({ location }) => location.href })
  useLayoutEffect(() => {
    if (!isThere) return undefined
    const entry = historyEntry(href)
    const place = places.get(entry)
    const goThere = (): void => window.scrollTo(0, place ?? 0)
    if (place !== undefined) goThere()
    // And after the router, which may begin the page at its top.
    const frame = place === undefined ? undefined : requestAnimationFrame(goThere)
    const note = (): void => void places.set(entry, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => {
      window.removeEventListener('scroll', note)
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [href, isThere])
}
