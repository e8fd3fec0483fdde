import { useEffect, useSyncExternalStore } from 'react'

let shown: string | undefined
const listeners = new Set<() => void>()

function show(team: string | undefined): void {
  shown = team
  for (const listener of listeners) listener()
}

/** Tells the frame to which team the object of the page belongs, while the page is shown. */
export function useTellTeam(team: string | undefined): void {
  useEffect(() => {
    if (team === undefined || team === '/') return undefined
    show(team)
    return () => show(undefined)
  }, [team])
}

/** The team of the object that the page shows; undefined where the page has none. */
export function usePageTeam(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
}
