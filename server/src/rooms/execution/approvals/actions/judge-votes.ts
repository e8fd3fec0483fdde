import type { AccessSnapshot } from '#rooms/foundation/access'
import {
  type Decision,
  describeObstacle,
  ENOUGH_AGAIN,
  judgeDecisions,
  type Request,
  refusalOf,
} from '../rules/index.ts'
import { candidateOf } from './know-candidate.ts'

/** Decisions as they count now, and those among them of which that is new. */
export interface Votes {
  readonly all: readonly Decision[]
  readonly changed: readonly Decision[]
  /** Why it is not approved as things are, whoever decides next; null: it can be. */
  readonly obstacle: string | null
}

/**
 * Judges anew what was decided about a request that waits: who is disabled, or would no longer be let decide, has no
 * vote in what comes. Once that is remedied the vote counts again.
 */
export function judgeVotes(snapshot: AccessSnapshot, request: Request, decisions: readonly Decision[]): Votes {
  const all = decisions.map((decision) => ({ ...decision, lapsed: whyLapsed(snapshot, request, decision) }))
  return {
    all,
    changed: all.filter(({ lapsed }, at) => lapsed !== decisions[at]?.lapsed),
    obstacle: judgeDecisions(request, all) ? ENOUGH_AGAIN : findObstacle(snapshot, request),
  }
}

/** Looks for as many who may decide as must. */
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
  return `${by.name} is not among those who decide any more (${request.approvers.join(', ')}).`
}
