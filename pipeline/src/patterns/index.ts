export {
  compilePatterns,
  type Decision,
  type PatternList,
  type PatternProblem,
  validatePatterns,
  validateRepositoryPatterns,
} from './list.ts'
export {
  compilePattern,
  type Effort,
  type MatchOptions,
  matchesPattern,
  PatternError,
  validatePattern,
} from './match.ts'
export { MAX_PATTERN_LENGTH } from './parse.ts'
