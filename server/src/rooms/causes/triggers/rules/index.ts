export { CANCEL } from './commands.ts'
export type { Membership } from './commenters.ts'
export { type CompiledTrigger, compileTrigger } from './compile-trigger.ts'
export { createLimits, type Evaluation, evaluationsOf, evaluationWith, type Limits } from './evaluation.ts'
export { type Feed, listFed } from './fed-triggers.ts'
export {
  type ManifestPlace,
  type ManifestProblem,
  type ManifestReading,
  manifestJsonSchema,
  type ReadManifest,
  readManifest,
  triggersOf,
} from './manifest/index.ts'
export { type Match, matchTrigger } from './match-trigger.ts'
export { findPatternMiss } from './near-miss.ts'
export type { OtherNames } from './other-names.ts'
export type { MatchContext } from './source-condition.ts'
export { evaluateConcurrency, evaluateVariables, NO_VARIABLES, type VariablesResult } from './start-values.ts'
export type { Concurrency, Matchable, Trigger, TriggerDefinition } from './trigger.ts'
export { type IndexedTrigger, TriggerIndex } from './trigger-index.ts'
export { type TriggerFault, validateTrigger } from './validate-trigger.ts'
