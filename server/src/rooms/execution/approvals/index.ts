import type { ApprovalInput } from '@signalbox/contracts/approvals'
import type { Queryable, Tx } from '#platform/database'
import type { Caller, RequestOrigin } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import type { RequestReader } from '#rooms/execution/runs'
import { prepareDecision } from './actions/decide-request.ts'
import { findDoers } from './actions/find-doers.ts'
import { type DecidedApproval, listDecided, readRequests } from './actions/find-requests.ts'
import { countApprovals } from './actions/list-approvals.ts'
import { type NewApproval, requestApprovals } from './actions/request-approvals.ts'
import { approvalProblem } from './errors.ts'
import { approvalJobs } from './jobs.ts'
import { approvalTopics } from './live.ts'
import type { Means } from './means.ts'
import { approvalPlanners } from './planners.ts'
import { approvalReactions } from './reactions.ts'
import { approvalRoutes } from './routes.ts'
import { markApplied } from './store/index.ts'
import { approvalTools } from './tools.ts'

export type { DecidedApproval } from './actions/find-requests.ts'
export type { NewApproval } from './actions/request-approvals.ts'

/** For the dispatcher, which has people decide. */
export interface Approvals {
  /** In the transaction that pauses the run; the same (run, step) again changes nothing. */
  request(tx: Tx, wanted: readonly NewApproval[]): Promise<void>
  /** Decided, and not yet applied to their runs; oldest first. */
  listDecided(db: Queryable, limit: number): Promise<DecidedApproval[]>
  /** The requests of a run, as run details tell them. */
  readonly readRequests: RequestReader
  /**
   * A person's decision as a part of the caller's transaction, which throws what the request for it throws; undefined where
   * the run has not reached the step. The caller has shown that the person may see the run.
   */
  prepareDecision(
    origin: RequestOrigin,
    asked: { readonly runId: string; readonly step: string },
    input: ApprovalInput,
  ): Promise<((tx: Tx) => Promise<unknown>) | undefined>
  /** What waits in a team and the teams below it: for anybody, and for the caller. Neither is counted beyond `most`. */
  count(caller: Caller, teamPath: string, most: number): Promise<{ readonly waiting: number; readonly mine: number }>
  /** In the transaction that stores what a decision did to its run, also where that was over. */
  markApplied(tx: Tx, ids: readonly string[]): Promise<void>
}

export const approvals = defineRoom<Approvals, Doors<Means>>({
  name: 'execution/approvals',
  open(kit, doors) {
    const means: Means = { ...kit, ...doors }
    return {
      door: {
        request: (tx, wanted) => requestApprovals(means, tx, wanted),
        listDecided,
        readRequests: (db, runId, viewer) => readRequests(means, db, runId, viewer),
        prepareDecision: (origin, asked, input) => prepareDecision(means, origin, asked, input),
        count: (caller, teamPath, most) => countApprovals(means, caller, teamPath, most),
        markApplied: (tx, ids) => markApplied(tx, ids, means.clock.now()),
      },
      problems: [approvalProblem],
      routes: approvalRoutes(means),
      tools: approvalTools,
      planners: approvalPlanners((calls) => findDoers(means, calls)),
      jobs: approvalJobs(means),
      reactions: approvalReactions(means),
      live: approvalTopics(means),
    }
  },
})
