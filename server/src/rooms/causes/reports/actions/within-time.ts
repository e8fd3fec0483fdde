import type { Clock } from '#platform/time'

/** All calls of one report; less than a report is reserved. */
export const CALL_MS = 12_000

/** Ends the calls of `work` when they take too long, and when `signal` ends them before. */
export async function withinTime<T>(
  { clock }: { readonly clock: Clock },
  signal: AbortSignal,
  work: (ends: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = clock.after(CALL_MS, () => limit.abort())
  try {
    return await work(AbortSignal.any([signal, limit.signal]))
  } finally {
    timer.cancel()
  }
}
