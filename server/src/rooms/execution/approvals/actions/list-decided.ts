import type { Queryable } from '#platform/database'
import { describeTimeout, judgeDecisions, type Outcome } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** A decided request whose run has not been moved yet. */
export interface DecidedApproval extends Outcome {
  readonly id: string
  readonly runId: string
  readonly step: string
}

/** Oldest decision first. */
export async function listDecided(db: Queryable, limit: number): Promise<DecidedApproval[]> {
  const requests = await store.listDecided(db, limit)
  const decisions = Map.groupBy(
    await store.listDecisions(
      db,
      requests.map((request) => request.id),
    ),
    (decision) => decision.requestId,
  )
  return requests.map((request) => {
    const { id, runId, step } = request
    const given = decisions.get(id) ?? []
    const judged = request.status === 'timed_out' ? undefined : judgeDecisions(request, given)
    const reason = describeTimeout(request, given.filter(({ lapsed }) => lapsed === null).length)
    return { id, runId, step, ...(judged ?? { outcome: 'timed_out', reason, outputs: {} }) }
  })
}
