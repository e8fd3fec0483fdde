export { afterFailures } from './after-failure.ts'
export { MOST_LOST_ATTEMPTS, mayFollowLoss } from './attempts.ts'
export { advance, advanceAll, startRun } from './engine.ts'
export { findStepState, findTaskState } from './find.ts'
export { outstandingEffects } from './outstanding.ts'
export {
  type Ending,
  type FinalRunStatus,
  isActiveTask,
  isTerminalRun,
  isTerminalStep,
  isTerminalTask,
  type OutputValue,
  type RunState,
  type RunStatus,
  type StepState,
  type StepStatus,
  type TaskState,
  type TaskStatus,
} from './state.ts'
export type {
  ApprovalDecided,
  AttemptKey,
  AttemptResult,
  Effect,
  GuardPlace,
  GuardVerdict,
  Json,
  Reuse,
  ReusedTask,
  RunContext,
  RunEvent,
  TaskFinished,
  TaskStarted,
  Transition,
} from './transition.ts'
