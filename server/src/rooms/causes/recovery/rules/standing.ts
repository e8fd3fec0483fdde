import type { RecoveryState } from '@signalbox/contracts/recovery'

export function stateOf(row: {
  readonly recoveredAt: Date | null
  readonly givenUpReason: string | null
}): RecoveryState {
  if (row.recoveredAt !== null) return 'recovered'
  return row.givenUpReason === null ? 'missing' : 'given_up'
}

export interface GapFacts {
  readonly oldestMissingAt: Date | null
  /** Of the log that was read least: until then nothing is missing. */
  readonly seenUntil: Date | null
  /** The newest look that failed after the last good one. */
  readonly failedAt: Date | null
  readonly now: Date
}

/** The time of which it is not known that nothing is missing. */
export function describeGap(facts: GapFacts): { readonly from: Date; readonly to: Date } | null {
  const { oldestMissingAt, seenUntil, failedAt, now } = facts
  if (oldestMissingAt !== null) return { from: oldestMissingAt, to: now }
  return failedAt === null ? null : { from: seenUntil ?? failedAt, to: failedAt }
}
