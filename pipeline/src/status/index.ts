export { mayFollowLoss } from './attempts.ts'
export { advance, advanceAll, startRun } from './engine.ts'
export { findStepState, findTaskState } from './find.ts'
export { outstandingEffects } from './outstanding.ts'
export {
  type Ending,
  type FinalRunStatus,
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
  AttemptKey,
  AttemptResult,
  Effect,
  Json,
  RunContext,
  RunEvent,
  TaskFinished,
  TaskStarted,
  Transition,
} from './transition.ts'
