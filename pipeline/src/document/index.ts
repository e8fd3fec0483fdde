export { parseDuration } from './duration.ts'
export { DEFAULT_LIMITS, type DocumentLimits } from './limits.ts'
export { type ParseResult, parsePipeline } from './parse-pipeline.ts'
export { type ExternalReference, type Pipeline, type ReferencedName } from './pipeline.ts'
export { type Position, type Problem, type ProblemCode, ProblemList } from './problem.ts'
export { readSource } from './read-source.ts'
export { readText } from './read-text.ts'
export { pipelineJsonSchema } from './schema/index.ts'
export {
  booleanOf,
  entriesOf,
  itemDirective,
  itemsOf,
  type SourceEntry,
  type SourceMap,
  type SourceNode,
  type SourceScalar,
  scalarTextOf,
  textOf,
} from './source-tree.ts'
export { checkStructure, type DocumentLanguage } from './structure.ts'
export { nearest } from './suggestion.ts'
export { takesLong } from './takes-long.ts'
