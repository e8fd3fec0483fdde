export {
  type ChangeFacts,
  describeChange,
  describeRun,
  namesOfRef,
  RUN_NAMES,
  type RunFacts,
  TRIGGER_RUN_NAMES,
} from './run-facts.ts'
export { type AttemptFacts, type RunnerVariable, TASK_VARIABLES, taskVariables } from './task-variables.ts'
export { findUndeclaredVariables, type UndeclaredVariable } from './undeclared-variables.ts'
export { findUnknownName, type KnownNames, type UnknownName } from './unknown-names.ts'
