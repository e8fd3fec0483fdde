export { compileGraph, type GraphDefinition, type StepDefinition, type TaskDefinition } from './compile.ts'
export { type GraphLimits, hasLimits, NO_LIMITS } from './container-limits.ts'
export type {
  ApprovalAction,
  Graph,
  GraphApproval,
  GraphApprovalField,
  GraphArtifacts,
  GraphCache,
  GraphCheckout,
  GraphConcurrency,
  GraphContainer,
  GraphFinalOutput,
  GraphService,
  GraphStep,
  GraphTask,
  GraphTaskCommon,
  OutputDeclaration,
  RetryPolicy,
  StepWhen,
  TaskReference,
} from './graph.ts'
export { APPROVAL_TASK, checksOut, startsPipelines } from './graph.ts'
export { type Dependent, type Order, orderOf, type Precedes } from './order.ts'
export type { MatrixReference, OutputReference, ValuePart, ValueTemplate } from './values.ts'
