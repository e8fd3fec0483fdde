import type { ApprovalRequest } from '@signalbox/contracts/runs'
import type { Queryable } from '#platform/database'
import type { Means } from '../means.ts'
import { presentRequest, type Request } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { judgeVotes } from './judge-votes.ts'

/** What people were asked about a run, in the order in which it reached the steps. Throws the 503 of `Access`. */
export async function readRequests(means: Means, db: Queryable, runId: string): Promise<ApprovalRequest[]> {
  const requests = await store.listOfRun(db, runId)
  const decisions = Map.groupBy(
    await store.listDecisions(
      db,
      requests.map((request) => request.id),
    ),
    (decision) => decision.requestId,
  )
  if (requests.length === 0) return []
  const snapshot = await means.access.snapshot()
  return requests.map((request) => {
    const given = decisions.get(request.id) ?? []
    // What is decided stays as it was judged then.
    if (request.status !== 'waiting') return presentRequest(request, given, null)
    const { all, obstacle } = judgeVotes(snapshot, request, given)
    return presentRequest(request, all, obstacle)
  })
}

export function findRequestOf(db: Queryable, runId: string, step: string): Promise<Request | undefined> {
  return store.findRequest(db, runId, step)
}
