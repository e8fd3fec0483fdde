/** The counts of items that wait for the next round, and of attempts that runners have in hand. */
export interface Arrivals {
  /** Ends of attempts; all else is that attempts have begun. */
  readonly results: number
  /** Attempts that runners have in hand, those that have ended included. */
  readonly inHand: number
  /** Since the end of the last round. */
  readonly sinceRoundMs: number
  /** Since the first of them came. */
  readonly sinceOldestMs: number
}

/** The begin of a task changes only what people see. Mostly the end comes within this time, and one write stores both. */
export const BEGINS_MS = 100
/** A round costs as much as some ten results: those that come so soon after the last one share the next. */
const RESULTS_MS = 25
/** More results are not waited for, or runners would have nothing to do meanwhile. */
const ENOUGH = 1 / 2

/** How long the next round waits for more to come, ms. A result that stands alone waits for nothing. */
export function patienceFor({ results, inHand, sinceRoundMs, sinceOldestMs }: Arrivals): number {
  if (results > 0 && results >= inHand * ENOUGH) return 0
  return Math.max(0, results > 0 ? RESULTS_MS - sinceRoundMs : BEGINS_MS - sinceOldestMs)
}
