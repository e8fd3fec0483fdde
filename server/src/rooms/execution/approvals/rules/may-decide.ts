import type { Principal } from '@signalbox/contracts/http'
import type { Decision, Request } from './request.ts'

/** What is known of somebody who wants to decide. */
export interface Candidate {
  readonly kind: Principal['kind']
  readonly id: string
  /** `user:<login>`, `service_account:<team path>/<name>`, `group:<name>`. */
  readonly called: readonly string[]
  hasRole(role: string, teamPath: string): boolean
}

const ROLE = 'role:'

/**
 * Null when the candidate may decide about the request; else a sentence that says why not. One person has one vote:
 * behind the token of a service account may be somebody who decides as a user, too, so that it decides only where it is
 * named itself; and who holds the bootstrap token is nobody in particular, so that it is not one of several.
 */
export function refusalOf(candidate: Candidate, request: Request): string | null {
  const approvers = request.approvers.join(', ')
  if (!isNamed(candidate, request)) {
    const hint =
      candidate.kind === 'service_account' ? ' A service account must be named itself: a role is for people.' : ''
    return `About ${request.step} decide ${approvers}.${hint}`
  }
  const own = candidate.kind === request.initiator.kind && candidate.id === request.initiator.id
  if (own && !request.allowSelf) return 'You started the run yourself: somebody else must decide about it.'
  if (candidate.kind === 'bootstrap' && request.required > 1) {
    return `About ${request.step} decide ${request.required} people, and the bootstrap token is nobody's: decide as a user.`
  }
  return null
}

function isNamed(candidate: Candidate, { approvers, teamPath }: Request): boolean {
  return approvers.some((approver) =>
    approver.startsWith(ROLE)
      ? candidate.kind !== 'service_account' && candidate.hasRole(approver.slice(ROLE.length), teamPath)
      : candidate.called.includes(approver),
  )
}

/** What the candidate decided about the request before. */
export function decisionOf({ kind, id }: Candidate, decisions: readonly Decision[]): Decision | undefined {
  return decisions.find(({ by }) => by.kind === kind && by.id === id)
}
