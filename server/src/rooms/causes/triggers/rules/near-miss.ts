import { nearest } from '@signalbox/pipeline/document'
import { type Decision, matchesPattern, validatePattern } from '@signalbox/pipeline/patterns'
import { foldName } from './fold-name.ts'

/** A pattern that a person probably wrote for a repository, and why it does not fit. */
export interface PatternMiss {
  readonly pattern: string
  readonly reason: string
}

/**
 * Why a list of repository patterns does not take in a repository that it nearly names; undefined where it is about other
 * repositories. `decide` holds the whole list against a name.
 */
export function findPatternMiss(
  patterns: readonly string[],
  decide: (name: string) => Decision,
  repository: string,
): PatternMiss | undefined {
  if (patterns.some((pattern) => pattern.startsWith('!'))) {
    const { matched, decidedBy } = decide(repository)
    if (decidedBy !== null && !matched) {
      return { pattern: decidedBy, reason: `${decidedBy} takes ${repository} out again.` }
    }
  }
  for (const pattern of patterns) {
    const reason = pattern.startsWith('!') ? undefined : describeMiss(pattern, repository)
    // The whole list is asked last: it costs more, and hardly any trigger comes so far.
    if (reason !== undefined) return decide(repository).matched ? undefined : { pattern, reason }
  }
  return undefined
}

const GLOB = /[*?[\]{}\\]/

function describeMiss(pattern: string, repository: string): string | undefined {
  if (/\.git$/i.test(pattern) && fits(pattern.slice(0, -4), repository)) {
    return `Names of repositories have no .git at the end: write ${pattern.slice(0, -4)}.`
  }
  if (GLOB.test(pattern)) return describeNarrowGlob(pattern, repository)
  if (foldName(repository).endsWith(`/${foldName(pattern)}`)) {
    return `The owner is missing in front: did you mean ${repository}?`
  }
  return differsInOneSegment(pattern, repository) ? `Did you mean ${repository}?` : undefined
}

/** `*` stays within a segment, and the repository of a nested group has more of them. */
function describeNarrowGlob(pattern: string, repository: string): string | undefined {
  if (pattern.includes('**') || !pattern.endsWith('*')) return undefined
  return fits(`${pattern}*`, repository) ? `* does not go beyond a slash: write ${pattern}*.` : undefined
}

function fits(pattern: string, repository: string): boolean {
  return validatePattern(pattern) === undefined && matchesPattern(pattern, repository, { caseInsensitive: true })
}

/** A misspelt owner or name: so near that they are hardly two repositories of one mind. */
function differsInOneSegment(pattern: string, repository: string): boolean {
  const written = foldName(pattern).split('/')
  const real = foldName(repository).split('/')
  if (written.length !== real.length) return false
  const different = written.flatMap((segment, at) => {
    const other = real[at] ?? ''
    return segment === other ? [] : [{ segment, other }]
  })
  const [first, ...more] = different
  return first !== undefined && more.length === 0 && nearest(first.other, [first.segment]) !== undefined
}
