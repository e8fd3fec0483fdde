import type { Caller } from '#platform/http'
import type { AccessSnapshot } from '#rooms/foundation/access'
import {
  type Candidate,
  type Decision,
  describeObstacle,
  ENOUGH_AGAIN,
  judgeDecisions,
  type Request,
  refusalOf,
} from '../rules/index.ts'

/** Decisions as they count now, and those of them that changed. */
export interface Votes {
  readonly all: readonly Decision[]
  readonly changed: readonly Decision[]
  /** Why no further decision can approve the request; null: one can. */
  readonly obstacle: string | null
}

/**
 * Judges the decisions about a waiting request anew. The vote of a subject that is disabled or may no longer decide lapses,
 * and counts again once that is remedied.
 */
export function judgeVotes(snapshot: AccessSnapshot, request: Request, decisions: readonly Decision[]): Votes {
  const all = decisions.map((decision) => ({ ...decision, lapsed: whyLapsed(snapshot, request, decision) }))
  return {
    all,
    changed: all.filter(({ lapsed }, at) => lapsed !== decisions[at]?.lapsed),
    obstacle: judgeDecisions(request, all) ? ENOUGH_AGAIN : findObstacle(snapshot, request),
  }
}

/** Looks for as many deciders as the request requires. */
function findObstacle(snapshot: AccessSnapshot, request: Request): string | null {
  const possible = new Set<string>()
  for (const approver of request.approvers) {
    for (const subject of snapshot.listNamed(approver, request.teamPath)) {
      const mayDecide = refusalOf(candidateOf(snapshot, subject), request) === null
      if (mayDecide && subject.can('run.read', request.teamPath)) possible.add(`${subject.kind}:${subject.id}`)
      if (possible.size >= request.required) return null
    }
  }
  return describeObstacle(request, possible.size)
}

function whyLapsed(snapshot: AccessSnapshot, request: Request, { by }: Decision): string | null {
  const subject = snapshot.subject(by.kind, by.id)
  if (!subject) return `${by.name} is disabled or gone.`
  if (!subject.can('run.read', request.teamPath)) return `${by.name} may not see the run any more.`
  if (refusalOf(candidateOf(snapshot, subject), request) === null) return null
  return `${by.name} may no longer decide: the step asks ${request.approvers.join(', ')}.`
}

/** The caller, with all names by which a document may mean them. */
export function candidateOf(snapshot: AccessSnapshot, caller: Caller): Candidate {
  return {
    kind: caller.kind,
    id: caller.id,
    called: snapshot.calledBy(caller),
    hasRole: (role, teamPath) => snapshot.hasRole(caller, role, teamPath),
  }
}
