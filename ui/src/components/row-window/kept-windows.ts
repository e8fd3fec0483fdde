import type { KnownRow, RowHeights } from './row-window.ts'

/** The first row in sight, and how many are. */
export interface KeptPlace {
  readonly row: KnownRow
  readonly count: number
  /** How far below the top of the window it stood; undefined where the list began in sight. */
  readonly top: number | undefined
}

/** A list as it was left: who comes back sees the same rows in the same places. */
export interface KeptWindow {
  readonly place: KeptPlace
  readonly heights: RowHeights
  /** How wide the rows were, and how dense: else the heights are of no use. */
  readonly shape: string
  readonly columns: readonly string[]
}

const MOST_KEPT = 100
const kept = new Map<string, KeptWindow>()

export function keepWindow(place: string, window: KeptWindow): void {
  kept.delete(place)
  kept.set(place, window)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
}

export function keptWindow(place: string): KeptWindow | undefined {
  return kept.get(place)
}

/** The shown entry of the browser's history: the router's name of it; one that was typed in has its address. */
export function historyEntry(address: string): string {
  const state: unknown = window.history.state
  const named = typeof state === 'object' && state !== null && '__TSR_key' in state ? state.__TSR_key : undefined
  return typeof named === 'string' ? named : address
}
