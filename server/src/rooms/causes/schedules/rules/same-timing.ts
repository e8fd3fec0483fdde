import type { StoredTiming } from './timing-of.ts'

/** Whether two definitions of one schedule fire at the same instants, as far as their texts tell. */
export function sameTiming(one: StoredTiming, other: StoredTiming): boolean {
  return textOf(one) === textOf(other)
}

function textOf(timing: StoredTiming): string {
  const { scheduleKind, cronExpression, runAt, timezone, dstPolicy, spread, calendar } = timing
  const { excludeDates, notBefore, notAfter } = timing
  const limits = [notBefore?.getTime(), notAfter?.getTime()]
  return JSON.stringify([
    scheduleKind,
    cronExpression,
    runAt,
    timezone,
    dstPolicy,
    spread,
    calendar,
    excludeDates,
    limits,
  ])
}
