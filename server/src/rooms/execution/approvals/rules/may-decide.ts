import type { Principal } from '@signalbox/contracts/http'
import { type Decision, judgeDecisions, type Request } from './request.ts'

/** Somebody who wants to decide. */
export interface Candidate {
  readonly kind: Principal['kind']
  readonly id: string
  /** `user:<login>`, `service_account:<team path>/<name>`, `group:<name>`. */
  readonly called: readonly string[]
  hasRole(role: string, teamPath: string): boolean
}

const ROLE = 'role:'

/**
 * Null when the candidate may decide about the request; else a sentence that says why not. One person has one vote. A user
 * may also hold the token of a service account, so the account decides only where the step names it. Anybody may hold the
 * bootstrap token, so it is not one of several votes.
 */
export function refusalOf(candidate: Candidate, request: Request): string | null {
  const approvers = request.approvers.join(', ')
  if (!isNamed(candidate, request)) {
    const hint =
      candidate.kind === 'service_account' ? ' A service account must be named itself: a role is for people.' : ''
    return `Only ${approvers} may decide about ${request.step}.${hint}`
  }
  if (isOwn(candidate, request) && !request.allowSelf) {
    return 'You started the run yourself: somebody else must decide about it.'
  }
  if (candidate.kind === 'bootstrap' && request.required > 1) {
    return `${request.required} people must decide about ${request.step}, and the bootstrap token is no person: decide as a user.`
  }
  return null
}

/** Also who asked at a provider for a run of somebody else, before or after their account was linked. */
export function isOwn({ kind, id }: Pick<Candidate, 'kind' | 'id'>, { initiator, askedBy }: Request): boolean {
  return (kind === initiator.kind && id === initiator.id) || (kind === 'user' && askedBy.includes(id))
}

function isNamed(candidate: Candidate, { approvers, teamPath }: Request): boolean {
  return approvers.some((approver) =>
    approver.startsWith(ROLE)
      ? candidate.kind !== 'service_account' && candidate.hasRole(approver.slice(ROLE.length), teamPath)
      : candidate.called.includes(approver),
  )
}

/** The earlier decision of the candidate about the request. */
export function decisionOf({ kind, id }: Candidate, decisions: readonly Decision[]): Decision | undefined {
  return decisions.find(({ by }) => by.kind === kind && by.id === id)
}

/** Why the candidate may not decide now; null: they may. Who has approved may say so again where that decides. */
export function findRefusal(candidate: Candidate, request: Request, decisions: readonly Decision[]): string | null {
  const refusal = refusalOf(candidate, request)
  if (refusal !== null || !decisionOf(candidate, decisions)) return refusal
  return judgeDecisions(request, decisions) ? null : HAS_APPROVED
}

/** Before enough others have; one rejection decides. */
export const HAS_APPROVED = 'You have approved it already; cancel the run to stop it.'
