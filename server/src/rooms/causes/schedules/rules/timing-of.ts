import { parseDuration } from '@signalbox/pipeline/document'
import type { Timing } from './timing.ts'

/** The columns of a schedule that say when it fires. */
export interface StoredTiming {
  readonly id: string
  readonly scheduleKind: Timing['kind']
  readonly cronExpression: string | null
  readonly runAt: string | null
  readonly timezone: string
  readonly dstPolicy: Timing['dstPolicy']
  /** Such as 15m. */
  readonly spread: string | null
  readonly excludeDates: readonly string[]
  readonly calendar: string | null
  readonly notBefore: Date | null
  readonly notAfter: Date | null
}

/** A spread that is no duration, or longer than any, is refused where the timing is compiled. */
export function timingOf(stored: StoredTiming): Timing {
  return {
    id: stored.id,
    kind: stored.scheduleKind,
    cronExpression: stored.cronExpression,
    runAt: stored.runAt,
    timezone: stored.timezone,
    dstPolicy: stored.dstPolicy,
    spreadMs: stored.spread === null ? 0 : (parseDuration(stored.spread) ?? Number.POSITIVE_INFINITY),
    excludedDates: stored.excludeDates,
    calendar: stored.calendar,
    notBefore: stored.notBefore,
    notAfter: stored.notAfter,
  }
}
