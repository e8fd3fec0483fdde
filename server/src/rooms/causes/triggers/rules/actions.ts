import { ACTIONS_OF, EVENT_KINDS, type EventKind } from '@signalbox/contracts/event'
import { nearest } from '@signalbox/pipeline/document'

/** Providers' words for our actions, where the spelling alone does not suggest ours. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  update: 'synchronized',
  fulfilled: 'merged',
  completed: 'merged',
  declined: 'closed',
  rejected: 'closed',
  abandoned: 'closed',
}

/** The action of an event that was posted without one. */
const UNNAMED = 'other'

/**
 * Why no event of the kinds could have the action; undefined where one could. Posted events may have actions of their own,
 * so only a word that stands for one of ours is refused.
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

/** The actions of a kind as triggers see them. */
function actionsOf(kind: EventKind): readonly string[] {
  const actions = ACTIONS_OF[kind]
  // Before triggers match, `updated` becomes `synchronized` or `edited`, depending on the last known head.
  return kind === 'pull_request' ? actions.filter((action) => action !== 'updated') : actions
}
