import { ACTIONS_OF, EVENT_KINDS, type EventKind } from '@signalbox/contracts/event'
import { nearest } from '@signalbox/pipeline/document'

/** What providers call ours, where the words are far apart. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  update: 'synchronized',
  fulfilled: 'merged',
  completed: 'merged',
  declined: 'closed',
  rejected: 'closed',
  abandoned: 'closed',
}

/** What an event that was posted without an action has. */
const UNNAMED = 'other'

/**
 * Why no event of the kinds could have the action; undefined where one could. Whoever posts events may use words of their
 * own: a word is refused where ours is meant.
 */
export function findActionFault(kinds: readonly EventKind[], action: string): string | undefined {
  const known = kinds.flatMap(actionsOf)
  if (known.includes(action) || action === UNNAMED) return undefined
  if (action === 'updated' && kinds.includes('pull_request')) {
    return 'no trigger sees updated of a pull request: write synchronized for new commits, edited for the rest'
  }
  const other = Object.hasOwn(ELSEWHERE, action) ? ELSEWHERE[action] : undefined
  const near = other !== undefined && known.includes(other) ? other : nearest(action, known)
  if (near !== undefined) return `no ${kinds.join(' or ')} is ${action}: did you mean ${near}?`
  const owners = EVENT_KINDS.filter((kind) => actionsOf(kind).includes(action))
  if (owners.length === 0) return undefined
  const all = known.length === 0 ? 'leave it out' : `write one of ${[...new Set(known)].join(', ')}`
  return `no ${kinds.join(' or ')} is ${action}, which is an action of ${owners.join(', ')}: ${all}`
}

/** As triggers see them. */
function actionsOf(kind: EventKind): readonly string[] {
  const actions = ACTIONS_OF[kind]
  // By the head that was seen before it became synchronized or edited.
  return kind === 'pull_request' ? actions.filter((action) => action !== 'updated') : actions
}
