import { goesBefore, type Ranked } from './wish.ts'

/** A candidate for a free slot: an attempt, or a queued run that would begin. */
export type Served<Attempt, Queued> = { readonly attempt: Attempt } | { readonly begin: Queued }

/**
 * Attempts of the oldest run come first (ids are ordered by time), each before the queued runs that it precedes. Queued runs
 * keep their order.
 */
export function inOrder<
  Attempt extends Ranked,
  Queued extends { readonly run: { readonly id: string; readonly teamPath: string; readonly priority: number } },
>(attempts: readonly Attempt[], queued: readonly Queued[]): readonly Served<Attempt, Queued>[] {
  const order: Served<Attempt, Queued>[] = []
  let left: readonly Attempt[] = attempts.toSorted((a, b) => (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0))
  for (const begin of queued) {
    for (const attempt of left) if (goesBefore(attempt, begin.run)) order.push({ attempt })
    left = left.filter((attempt) => !goesBefore(attempt, begin.run))
    order.push({ begin })
  }
  return [...order, ...left.map((attempt) => ({ attempt }))]
}
