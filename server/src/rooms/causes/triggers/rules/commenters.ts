import type { Event } from '@signalbox/contracts/event'
import { compilePatterns, type Effort, type PatternProblem, validatePatterns } from '@signalbox/pipeline/patterns'
import { foldName } from './fold-name.ts'

export const MEMBERS = '@members'
export const AUTHOR = '@author'
const WORDS: readonly string[] = [MEMBERS, AUTHOR]

/** Who may give a command where the trigger does not say. */
export const DEFAULT_COMMENTERS: readonly string[] = [MEMBERS]

/**
 * What is known of the author of a comment. `asked_later`: the provider is asked before a trigger starts that needs it.
 * Each text is a sentence for the trace.
 */
export type Membership =
  | { readonly state: 'asked_later' }
  | { readonly state: 'told'; readonly mayWrite: boolean; readonly detail: string }
  | { readonly state: 'unknown'; readonly reason: string }

export interface CommenterDecision {
  readonly passed: boolean
  readonly note: string | undefined
  /** It passed only until the provider has said whether the author may write. */
  readonly undecided?: boolean
}

export type CommenterList = (event: Event, effort: Effort, membership?: Membership) => CommenterDecision

/**
 * Logins are read as a list of patterns, capitals not counting: whom the last one that fits takes out is out, whatever
 * else holds. Who is not taken in by a pattern may still be a member or the author of the pull request, where the list
 * says so. What the provider does not say counts as no.
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

/** What is not known counts as no. */
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
