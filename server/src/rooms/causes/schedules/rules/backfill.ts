import type { CompiledTiming, Occurrence } from './timing.ts'

/** More instants than this are refused: nobody starts a year of minutes by accident. */
export const MAX_BACKFILL = 1000
/** Further ones are not counted. */
const COUNTED = 10_000

export interface BackfillRange {
  readonly from: Date
  readonly to: Date
  readonly now: Date
}

export type BackfillPlan =
  | { readonly ok: true; readonly instants: readonly Occurrence[] }
  | { readonly ok: false; readonly field: 'from' | 'to'; readonly message: string }

/** The instants of a past range that the schedule fires, as it is defined today: excluded ones are not among them. */
export function planBackfill(compiled: CompiledTiming, { from, to, now }: BackfillRange): BackfillPlan {
  if (to > now) return { ok: false, field: 'to', message: 'lies in the future: the schedule fires those by itself' }
  if (from > to) return { ok: false, field: 'from', message: 'lies after `to`: write the earlier instant first' }
  const instants = compiled.list(from, to, { limit: COUNTED + 1 })
  if (instants.length <= MAX_BACKFILL) return { ok: true, instants }
  const count = instants.length > COUNTED ? `more than ${sayNumber(COUNTED)}` : sayNumber(instants.length)
  const last = instants[MAX_BACKFILL - 1]
  const message = `the range has ${count} instants, and ${sayNumber(MAX_BACKFILL)} at most are taken: ask up to ${last?.planned.toISOString()}, and for the rest later`
  return { ok: false, field: 'to', message }
}

/** Without instants that started a run: the same nominal instant is the same, whatever the spread was then. */
export function leaveOutStarted(instants: readonly Occurrence[], started: readonly Date[]): readonly Occurrence[] {
  const done = new Set(started.map((date) => date.getTime()))
  return instants.filter(({ nominal }) => !done.has(nominal.getTime()))
}

/** Without those that the schedule itself still decides, such as one that is due: they would start twice. */
export function leaveOutUndecided(instants: readonly Occurrence[], firstUndecided: Date | null): readonly Occurrence[] {
  return firstUndecided === null ? instants : instants.filter(({ planned }) => planned < firstUndecided)
}

export interface BackfillRoom {
  readonly pending: number
  /** Of the runs that it started. */
  readonly unfinished: number
  readonly concurrency: number
}

/** What is next: to start some runs, to wait until one has finished, or nothing, as all have. */
export function judgeRoom({ pending, unfinished, concurrency }: BackfillRoom): {
  readonly next: 'start' | 'wait' | 'finish'
  readonly starts: number
} {
  if (pending === 0) return { next: unfinished === 0 ? 'finish' : 'wait', starts: 0 }
  const starts = Math.min(pending, Math.max(0, concurrency - unfinished))
  return { next: starts > 0 ? 'start' : 'wait', starts }
}

function sayNumber(count: number): string {
  return count.toLocaleString('en-US')
}
