import type { DstPolicy } from './nominal-instants.ts'

/** When a schedule fires, as it is stored. `id` seeds H and spread: it stays the same for the life of the schedule. */
export interface Timing {
  readonly id: string
  readonly kind: 'recurring' | 'one_time'
  readonly cronExpression: string | null
  /** As it was given. */
  readonly runAt: string | null
  readonly timezone: string
  readonly dstPolicy: DstPolicy
  readonly spreadMs: number
  /** `2026-12-25`, or `2026-12-24/2027-01-01` with both ends: local dates of the zone. */
  readonly excludedDates: readonly string[]
  /** ICS text. */
  readonly calendar: string | null
  readonly notBefore: Date | null
  readonly notAfter: Date | null
}

/**
 * `shifted`: a DST change skips the local time, so the occurrence is the first instant after it. `first_of_two`,
 * `second_of_two`: the local time occurs twice. `spread`: it fires later than the expression says. `excluded`: it does not fire.
 */
export type Mark = 'shifted' | 'first_of_two' | 'second_of_two' | 'spread' | 'excluded'

export interface Occurrence {
  /** When it fires: nominal and spread. */
  readonly planned: Date
  /** What the expression says. Exclusions, `notBefore` and `notAfter` judge this instant. */
  readonly nominal: Date
  /** The planned instant on the clocks of the zone, RFC 3339 with offset. */
  readonly local: string
  readonly marks: readonly Mark[]
  /** The date or the calendar event that excludes it. */
  readonly excludedBy: string | null
}

/** What is wrong, by the field as it is called on the wire, such as `exclude_dates[2]`. */
export interface TimingFault {
  readonly field: string
  readonly message: string
}

export interface CompiledTiming {
  readonly timing: Timing
  /** The first occurrence planned after the instant, without excluded ones; undefined: never again. */
  next(after: Date): Occurrence | undefined
  /** The first `limit` occurrences planned from `from` to `to`, both included, in order. */
  list(from: Date, to: Date, options: ListOptions): readonly Occurrence[]
  /** The last occurrence planned at or before `before`, and not before `notBefore`; without excluded ones. */
  latest(before: Date, notBefore: Date): Occurrence | undefined
  /** "At 02:30, Monday through Friday, Europe/Berlin" */
  readonly words: string
}

export interface ListOptions {
  readonly limit: number
  /** Excluded ones, too: for people. */
  readonly withExcluded?: boolean
}
