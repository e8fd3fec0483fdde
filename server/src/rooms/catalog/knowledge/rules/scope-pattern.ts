import { validatePattern } from '@signalbox/pipeline/patterns'
import { PLATFORM } from './item.ts'

const SPECIAL = /[*?[\]{}\\]/

/** Whether the pattern names exactly one scope. */
export function isLiteral(pattern: string): boolean {
  return !SPECIAL.test(pattern)
}

/** The team that all scopes of a pattern lie under: `acme/web/**` -> acme/web; '/' where they may lie anywhere. */
export function teamOfPattern(pattern: string): string {
  const literal = beginningOf(pattern)
  const slash = literal.lastIndexOf('/')
  return slash < 1 ? PLATFORM : literal.slice(0, slash)
}

/** Why a text is no pattern of scopes; undefined: it is one. */
export function findPatternFault(pattern: string): string | undefined {
  if (pattern.startsWith('!')) return 'must not exclude scopes: leave the "!" out'
  if (pattern.startsWith('/')) return 'must not begin with "/": write acme/web/**, or ** for everything'
  const unreadable = validatePattern(pattern)
  if (unreadable !== undefined) return unreadable
  return isLiteral(pattern) && !pattern.includes('/') ? `names no scope: write ${pattern}/** for a team` : undefined
}

/** Whether a scope of the team, or of a team below it, could match the pattern; otherwise the pattern is a mistake. */
export function canFitWithin(pattern: string, teamPath: string): boolean {
  if (teamPath === PLATFORM) return true
  const literal = beginningOf(pattern)
  const team = `${teamPath}/`
  return literal.startsWith(team) || (!isLiteral(pattern) && team.startsWith(literal))
}

/** The part before the first special character. */
function beginningOf(pattern: string): string {
  const special = pattern.search(SPECIAL)
  return special === -1 ? pattern : pattern.slice(0, special)
}
