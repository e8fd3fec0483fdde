import type { Clock } from '#platform/time'

/**
 * The sources whose providers get no calls for a while, because call after call failed. The pauses are of this process
 * only.
 */
export interface Pauses {
  /** Undefined: it may be called. */
  until(sourceId: string): Date | undefined
  failed(sourceId: string): void
  answered(sourceId: string): void
}

/** One call that fails may be bad luck. */
const TOLERATED = 2
const FIRST_MS = 5_000
const LONGEST_MS = 300_000

export function createPauses(clock: Clock): Pauses {
  const failing = new Map<string, { readonly inARow: number; readonly until: Date | undefined }>()
  return {
    until(sourceId) {
      const until = failing.get(sourceId)?.until
      return until !== undefined && until > clock.now() ? until : undefined
    },
    failed(sourceId) {
      const paused = failing.get(sourceId)?.until
      // Calls that were under way together fail together: they are one failure.
      if (paused !== undefined && paused > clock.now()) return
      const inARow = (failing.get(sourceId)?.inARow ?? 0) + 1
      const pause = Math.min(FIRST_MS * 2 ** (inARow - TOLERATED - 1), LONGEST_MS)
      const until = inARow > TOLERATED ? new Date(clock.now().getTime() + pause) : undefined
      failing.set(sourceId, { inARow, until })
    },
    answered: (sourceId) => void failing.delete(sourceId),
  }
}
