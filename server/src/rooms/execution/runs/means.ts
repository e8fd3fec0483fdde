import type { ApprovalRequest } from '@signalbox/contracts/runs'
import type { LRUCache } from 'lru-cache'
import type { Queryable, SharedReadings } from '#platform/database'
import type { Caller, FairShares } from '#platform/http'
import type { Kit } from '#platform/room'
import type { Knowledge } from '#rooms/catalog/knowledge'
import type { Pipelines } from '#rooms/catalog/pipelines'
import type { Runners } from '#rooms/catalog/runners'
import type { Access } from '#rooms/foundation/access'
import type { Audit } from '#rooms/foundation/audit'
import type { Secrets } from '#rooms/foundation/secrets'
import type { Teams } from '#rooms/foundation/teams'
import type { RunChange, StandingRun } from './rules/standing-run.ts'
import type { SummaryRow } from './store/run-columns.ts'

/** A pull request as the event of a run told of it. */
export interface AskedPullRequest {
  readonly eventId: string | null
  readonly repository: string
  readonly pullRequest: number
}

/** Answers the newest commit of a pull request by the source that told of the run's event, where it is known. */
export type HeadReader = (db: Queryable, asked: AskedPullRequest) => Promise<string | undefined>

/** A branch or tag of a repository, by its full ref, for a run of a team. */
export interface RepositoryWish {
  readonly repository: string
  readonly ref: string
  readonly teamPath: string
}

export interface FoundCheckout {
  readonly cloneUrl: string
  readonly commitSha: string
  readonly checkoutCredentialRef: string | null
}

/** Answers what a request checks out. `problem` is a sentence with what to do, for this field. */
export type CheckoutFinder = (
  caller: Caller,
  wish: RepositoryWish,
) => Promise<FoundCheckout | { readonly field: 'repository' | 'ref'; readonly problem: string }>

/** Answers what people were asked about a run, and whether the viewer may decide. */
export type RequestReader = (db: Queryable, runId: string, viewer: Caller) => Promise<readonly ApprovalRequest[]>

/** The questions that rooms above this one answer. */
export interface AboveRuns {
  /** Approvals of older commits of a pull request are refused. */
  readonly readHead: HeadReader
  /** The commit of a branch or tag that a request names. */
  readonly findCheckout: CheckoutFinder
  /** For the detail of a run. */
  readonly readRequests: RequestReader
}

/** Counts a run that ended without a dispatcher. */
export type Observe = (status: string, cause: string) => void

/** Hears what was decided about runs, before it is written. */
export type DecisionListener = (runs: readonly StandingRun[], changes: readonly RunChange[]) => void

/** Everything that code which ends runs uses: the kit, and the metrics of ended runs. */
export interface CountingKit extends Kit {
  readonly observe: Observe
  /** Of a dry run. */
  readonly decided?: DecisionListener
}

/** Uncompressed texts of blocks of events, by block id. */
export type EventTexts = LRUCache<string, Buffer>

/** Everything that code which queues runs uses; queueing may end others. */
export interface QueueingKit extends CountingKit {
  readonly eventTexts: EventTexts
}

/** Everything that the actions of this room use: the kit, the doors of other rooms, and the answers of rooms above. */
export interface Means extends QueueingKit {
  /** Pages that are open on the same list are told of a change at the same time, and ask at the same time. */
  readonly runLists: SharedReadings<readonly SummaryRow[]>
  /** Requests that wait for the status of a run, by their callers. */
  readonly statusWaits: FairShares
  readonly audit: Audit
  readonly teams: Teams
  readonly secrets: Secrets
  readonly access: Access
  readonly knowledge: Knowledge
  readonly pipelines: Pipelines
  readonly runners: Runners
  readonly above: AboveRuns
}
