import type { ApprovalRequest } from '@signalbox/contracts/runs'
import type { Queryable } from '#platform/database'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { findRefusal, type Outcome, outcomeOf } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { candidateOf, judgeVotes } from './judge-votes.ts'
import { presentRequest } from './present-request.ts'
import { withAskers } from './with-askers.ts'

/** The requests of a run as the viewer may read them, in the order in which it reached the steps. Throws the 503 of `Access`. */
export async function readRequests(
  means: Means,
  db: Queryable,
  runId: string,
  viewer: Caller,
): Promise<ApprovalRequest[]> {
  const requests = await withAskers(means, db, await store.listOfRun(db, runId))
  if (requests.length === 0) return []
  const decisions = await store.groupDecisions(db, requests)
  const snapshot = await means.access.snapshot()
  return requests.map((request) => {
    const given = decisions.get(request.id) ?? []
    // A decided request stays as it was judged then.
    if (request.status !== 'waiting') return presentRequest(request, given, { obstacle: null, refusal: null })
    const { all, obstacle } = judgeVotes(snapshot, request, given)
    const refusal = findRefusal(candidateOf(snapshot, viewer), request, all)
    return presentRequest(request, all, { obstacle, refusal })
  })
}

/** A decided request whose run has not been moved yet. */
export interface DecidedApproval extends Outcome {
  readonly id: string
  readonly runId: string
  readonly step: string
}

/** Oldest decision first. */
export async function listDecided(db: Queryable, limit: number): Promise<DecidedApproval[]> {
  const requests = await store.listDecided(db, limit)
  const decisions = await store.groupDecisions(db, requests)
  return requests.flatMap((request) => {
    const { id, runId, step } = request
    const outcome = outcomeOf(request, decisions.get(id) ?? [])
    return outcome ? [{ id, runId, step, ...outcome }] : []
  })
}
