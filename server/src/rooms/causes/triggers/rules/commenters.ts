import type { Event } from '@signalbox/contracts/event'
import { compilePatterns, type Effort, type PatternProblem, validatePatterns } from '@signalbox/pipeline/patterns'
import { foldName } from './fold-name.ts'

export const MEMBERS = '@members'
export const AUTHOR = '@author'
const WORDS: readonly string[] = [MEMBERS, AUTHOR]

/** The commenters of a trigger that names none. */
export const DEFAULT_COMMENTERS: readonly string[] = [MEMBERS]

/**
 * Whether the author of a comment may write. `asked_later`: the provider is asked before a trigger starts that needs the
 * answer. Each text is a sentence for the trace.
 */
export type Membership =
  | { readonly state: 'asked_later' }
  | { readonly state: 'told'; readonly mayWrite: boolean; readonly detail: string }
  | { readonly state: 'unknown'; readonly reason: string }

export interface CommenterDecision {
  readonly passed: boolean
  readonly note: string | undefined
  /** True: the decision stands only until the provider has said whether the author may write. */
  readonly undecided?: boolean
}

export type CommenterList = (event: Event, effort: Effort, membership?: Membership) => CommenterDecision

/**
 * Logins are a list of patterns that ignore case; the last pattern that fits decides, and an excluded login is always out. A
 * login that fits no pattern may still pass as a member or as the author, where the list names `@members` or `@author`. An
 * unknown membership counts as no.
 */
export function compileCommenters(entries: readonly string[]): CommenterList {
  const logins = compilePatterns(
    entries.filter((entry) => !WORDS.includes(entry)),
    { caseInsensitive: true },
  )
  const members = entries.includes(MEMBERS)
  const author = entries.includes(AUTHOR)
  return (event, effort, asked) => {
    const login = event.comment?.author?.login ?? null
    const { matched, decidedBy } = login === null ? { matched: false, decidedBy: null } : logins.decide(login, effort)
    if (decidedBy !== null)
      return { passed: matched, note: matched ? undefined : `${decidedBy} leaves this login out.` }
    if (author && isAuthor(event)) return { passed: true, note: undefined }
    return members ? decideMembership(event, asked) : { passed: false, note: undefined }
  }
}

/** An unknown membership counts as no. */
function decideMembership({ comment }: Event, asked: Membership | undefined): CommenterDecision {
  const told = comment?.author_is_member ?? null
  if (told !== null) return { passed: told, note: told ? 'The delivery says that the author may write.' : undefined }
  switch (asked?.state) {
    case 'told':
      return { passed: asked.mayWrite, note: asked.detail }
    case 'asked_later':
      return { passed: true, undecided: true, note: 'The provider is asked whether the author may write.' }
    default:
      return { passed: false, note: `${UNKNOWN}${asked ? ` ${asked.reason}` : ''}` }
  }
}

const UNKNOWN = 'Whether the author of the comment may write to the repository is not known; that counts as no.'

/** By their ids where both are known: a login may have passed to somebody else. */
function isAuthor({ comment, pull_request }: Event): boolean {
  const by = comment?.author
  const of = pull_request?.author
  if (!by || !of) return false
  if (by.id !== null && of.id !== null) return by.id === of.id
  return by.login !== null && of.login !== null && foldName(by.login) === foldName(of.login)
}

/** All that is wrong with a list of who may comment. */
export function validateCommenters(entries: readonly string[]): readonly PatternProblem[] {
  const problems: PatternProblem[] = []
  const patterns = entries.map((entry, index) => {
    if (WORDS.includes(entry)) return '**'
    const name = entry.startsWith('!') ? entry.slice(1) : entry
    if (name.startsWith('@')) {
      const rest = name.slice(1)
      const message = WORDS.includes(name)
        ? `${name} cannot be excluded: name logins`
        : `only ${WORDS.join(' and ')} begin with @: write a login without it, such as ${rest === '' ? 'mona' : rest}`
      problems.push({ index, message })
    }
    return entry
  })
  return [...problems, ...validatePatterns(patterns)]
}
