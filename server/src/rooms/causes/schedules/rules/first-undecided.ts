import type { CompiledTiming } from './timing.ts'

interface StoredNext {
  /** The next planned instant, as it was stored. */
  readonly nextFireAt: Date
  /** Planned instants up to here were decided, or lie before somebody wrote the schedule. */
  readonly decidedUntil: Date
}

/**
 * From where on nothing is decided: the stored next instant. A zone may have new rules since it was stored (updates bring
 * them), so that this instant is none any more. Where the rules moved an instant to before it, that one comes first.
 */
function firstUndecided(compiled: CompiledTiming, { nextFireAt, decidedUntil }: StoredNext): Date {
  const here = compiled.next(new Date(nextFireAt.getTime() - 1))
  if (here?.planned.getTime() === nextFireAt.getTime()) return nextFireAt
  const moved = compiled.next(decidedUntil)
  return moved && moved.planned < nextFireAt ? moved.planned : nextFireAt
}

export interface StoredSchedule {
  readonly nextFireAt: Date
  readonly lastFireAt: Date | null
  readonly updatedAt: Date
}

/** From where on nothing of a stored schedule is decided. */
export function firstUndecidedOf(
  compiled: CompiledTiming,
  { nextFireAt, lastFireAt, updatedAt }: StoredSchedule,
): Date {
  const decidedUntil = lastFireAt && lastFireAt > updatedAt ? lastFireAt : updatedAt
  return firstUndecided(compiled, { nextFireAt, decidedUntil })
}
