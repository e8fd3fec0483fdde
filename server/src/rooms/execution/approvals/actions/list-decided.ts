import type { Queryable } from '#platform/database'
import { type Outcome, outcomeOf } from '../rules/index.ts'
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
  return requests.flatMap((request) => {
    const { id, runId, step } = request
    const outcome = outcomeOf(request, decisions.get(id) ?? [])
    return outcome ? [{ id, runId, step, ...outcome }] : []
  })
}
