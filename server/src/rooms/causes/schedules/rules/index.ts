export { afterDecided } from './after-decided.ts'
export {
  type BackfillPlan,
  judgeRoom,
  leaveOutStarted,
  leaveOutUndecided,
  MAX_BACKFILL,
  planBackfill,
} from './backfill.ts'
export { closestFires } from './closest-fires.ts'
export { type CompileResult, compileTiming, MAX_SPREAD_MS } from './compile-timing.ts'
export {
  type DueDecision,
  type DueFire,
  type DueInput,
  decideDue,
  MAX_PER_ROUND,
  type MisfirePolicy,
} from './due.ts'
export { type ExplainInput, explainInstant, type ScheduleState } from './explain.ts'
export {
  type Evidence,
  type Explanation,
  type RunFate,
  type StoredFire,
  type StoredOutcome,
  textOf,
} from './explain-fire.ts'
export { firstUndecidedOf } from './first-undecided.ts'
export type { DstPolicy } from './nominal-instants.ts'
export { judgeOverlap, type StandingRun } from './overlap.ts'
export { runOfReason, withoutRun } from './overlap-reasons.ts'
export { spreadOf } from './plan-occurrences.ts'
export { type InstantReading, readRunAt } from './run-at.ts'
export { sameTiming } from './same-timing.ts'
export { type RecordedChange, readHistory, type ScheduleHistory } from './schedule-history.ts'
export { storableReason } from './storable-reason.ts'
export type { CompiledTiming, ListOptions, Mark, Occurrence, Timing, TimingFault } from './timing.ts'
export { timingOf } from './timing-of.ts'
export { type Expected, findDefinitionFaults, findKindFaults, findSilence } from './validate-schedule.ts'
export { readZone, type Zone } from './zone.ts'
