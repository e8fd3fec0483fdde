export type { Emergency } from './emergency.ts'
export {
  type Item,
  type ItemContent,
  type ItemHead,
  type ItemPlace,
  identifierOf,
  type JudgedAt,
  type KnowledgeKind,
  PLATFORM,
  type Revision,
  type RevisionHead,
  type RuleContent,
  splitIdentifier,
} from './item.ts'
export type { JudgedPlace, JudgedRun, JudgedStep, JudgedTask, Verdict } from './judged.ts'
export { findPatternFault, isLiteral, teamOfPattern } from './scope-pattern.ts'
export { type ActiveEmergency, type CopiedItem, createCopy, type KnowledgeCopy } from './snapshot.ts'
export { tryItem } from './try-item.ts'
export { type ItemCheck, type ItemFault, validateItem } from './validate-item.ts'
