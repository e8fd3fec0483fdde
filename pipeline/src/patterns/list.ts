import {
  compilePattern,
  type Effort,
  isExclusion,
  type MatchOptions,
  validatePattern,
  withoutExclusion,
} from './match.ts'

export interface Decision {
  readonly matched: boolean
  /** The pattern that had the last word, as it is written in the list; null when none fitted. */
  readonly decidedBy: string | null
}

/** With an effort that is spent meanwhile the answers mean nothing: look at it afterwards. */
export interface PatternList {
  matches(value: string, effort?: Effort): boolean
  /** Like `matches`, with the pattern that decided, for explanations. */
  decide(value: string, effort?: Effort): Decision
}

const UNDECIDED: Decision = { matched: false, decidedBy: null }

/**
 * A list of patterns as GitHub Actions reads one: order counts, the last pattern that fits a value decides. A pattern
 * takes values in, a pattern with a leading "!" takes them out, and a later pattern may take them in again. An empty list
 * matches nothing. Throws `PatternError`.
 */
export function compilePatterns(patterns: readonly string[], options: MatchOptions = {}): PatternList {
  // Read from the end: the first that fits is the last word.
  const compiled = patterns
    .map((pattern) => ({
      fits: compilePattern(withoutExclusion(pattern), options),
      decision: { matched: !isExclusion(pattern), decidedBy: pattern },
    }))
    .toReversed()

  function decide(value: string, effort?: Effort): Decision {
    return compiled.find((pattern) => pattern.fits(value, effort))?.decision ?? UNDECIDED
  }
  return { decide, matches: (value, effort) => decide(value, effort).matched }
}

export interface PatternProblem {
  /** Place in the list; null when the list as a whole is at fault. */
  readonly index: number | null
  readonly message: string
}

/** All that is wrong with a list: unreadable patterns, and exclusions with nothing to exclude from. */
export function validatePatterns(patterns: readonly string[]): readonly PatternProblem[] {
  const problems: PatternProblem[] = []
  for (const [index, pattern] of patterns.entries()) {
    const message = validatePattern(pattern)
    if (message !== undefined) problems.push({ index, message })
  }
  if (patterns.length > 0 && patterns.every(isExclusion)) {
    problems.push({ index: null, message: 'the list only excludes, so nothing can match; put "**" first' })
  }
  return problems
}

/** `:` and `@` belong to addresses and stand in no name of a repository; nor is any segment of one empty. */
const NO_NAME = /[:@]|^!?[/ ]|\/\/|[/ ]$/

/** Like `validatePatterns`, for full names of repositories: a pattern that can match none is a mistake, too. */
export function validateRepositoryPatterns(patterns: readonly string[]): readonly PatternProblem[] {
  const problems = [...validatePatterns(patterns)]
  for (const [index, pattern] of patterns.entries()) {
    if (!pattern.includes('/') && !pattern.includes('**')) {
      problems.push({ index, message: 'must be of the form owner/repository' })
    } else if (NO_NAME.test(pattern)) {
      problems.push({ index, message: 'can match no repository: write owner/repository alone, no address' })
    }
  }
  return problems
}
