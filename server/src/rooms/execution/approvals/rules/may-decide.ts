import type { Decision, Request } from './request.ts'

/** What is known of somebody who wants to decide. */
export interface Candidate {
  readonly kind: string
  readonly id: string
  /** `user:<login>`, `service_account:<team path>/<name>`, `group:<name>`. */
  readonly called: readonly string[]
  hasRole(role: string, teamPath: string): boolean
}

const ROLE = 'role:'

/** Null when the candidate may decide about the request; else a sentence that says why not. */
export function refusalOf(candidate: Candidate, request: Request): string | null {
  const named = request.approvers.some((approver) =>
    approver.startsWith(ROLE)
      ? candidate.hasRole(approver.slice(ROLE.length), request.teamPath)
      : candidate.called.includes(approver),
  )
  if (!named) return `About ${request.step} decide ${request.approvers.join(', ')}.`
  const own = candidate.kind === request.initiator.kind && candidate.id === request.initiator.id
  if (own && !request.allowSelf) return 'You started the run yourself: somebody else must decide about it.'
  return null
}

/** What the candidate decided about the request before. */
export function decisionOf(
  candidate: Pick<Candidate, 'kind' | 'id'>,
  decisions: readonly Decision[],
): Decision | undefined {
  return decisions.find(({ by }) => by.kind === candidate.kind && by.id === candidate.id)
}
