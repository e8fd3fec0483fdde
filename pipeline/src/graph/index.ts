export { compileGraph, type GraphDefinition, type StepDefinition, type TaskDefinition } from './compile.ts'
export type {
  Graph,
  GraphStep,
  GraphTask,
  GraphTaskCommon,
  OutputDeclaration,
  OutputReference,
  RetryPolicy,
  ValuePart,
  ValueTemplate,
} from './graph.ts'
export { type Dependent, type Order, orderOf, type Precedes } from './order.ts'
