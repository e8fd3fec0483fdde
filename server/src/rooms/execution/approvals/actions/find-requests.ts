import type { ApprovalRequest } from '@signalbox/contracts/runs'
import type { Queryable } from '#platform/database'
import { presentRequest, type Request } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** What people were asked about a run, in the order in which it reached the steps. */
export async function readRequests(db: Queryable, runId: string): Promise<ApprovalRequest[]> {
  const requests = await store.listOfRun(db, runId)
  const decisions = Map.groupBy(
    await store.listDecisions(
      db,
      requests.map((request) => request.id),
    ),
    (decision) => decision.requestId,
  )
  return requests.map((request) => presentRequest(request, decisions.get(request.id) ?? []))
}

export function findRequestOf(db: Queryable, runId: string, step: string): Promise<Request | undefined> {
  return store.findRequest(db, runId, step)
}
