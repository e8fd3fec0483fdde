import type { Permission } from '@signalbox/contracts/access'
import type { ApprovalInput } from '@signalbox/contracts/approvals'
import type { RerunInput, RunStatusAnswer } from '@signalbox/contracts/runs'
import { type Queryable, SharedReadings, type Statement, type Tx } from '#platform/database'
import { type Caller, createFairShares, type RequestOrigin, requirePermission } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { findDefaultScope } from './actions/authorize-run.ts'
import { type CancelWish, cancelingRuns } from './actions/cancel-matching.ts'
import { type CancelOrder, cancelRuns } from './actions/change-runs.ts'
import { type DecidedApproval, decideFork, type ForkDecision, prepareForkDecision } from './actions/decide-approval.ts'
import { describeRun, type RunDescription } from './actions/describe-run.ts'
import { explainWait } from './actions/explain-wait.ts'
import { type Fault, findFaults, type WantedReferences } from './actions/find-faults.ts'
import { findRuns } from './actions/find-runs.ts'
import { findVisibleRun, findVisibleStatus } from './actions/find-visible-run.ts'
import { type JudgedStart, judgeStart, type WantedStart } from './actions/judge-start.ts'
import { keepEventTexts } from './actions/keep-events.ts'
import { listSeen } from './actions/list-seen.ts'
import { openProgress, type ProgressStore } from './actions/open-progress.ts'
import { type NewRun, queueingRuns, queueRuns } from './actions/queue-runs.ts'
import { createEndedReader, type EndedRuns, type EndedWish } from './actions/read-ended.ts'
import { type RunOutcome, readOutcome } from './actions/read-outcome.ts'
import { type RequestedStart, requireStart, type StartablePipeline } from './actions/require-start.ts'
import { prepareRerun } from './actions/rerun-run.ts'
import { searchRuns } from './actions/search-runs.ts'
import { MOST_WAITING } from './actions/wait-for-status.ts'
import { runProblem } from './errors.ts'
import { runTopics } from './live.ts'
import type { CheckoutFinder, Means } from './means.ts'
import { createRunMetrics, type RunMetrics } from './metrics.ts'
import { runPlanners } from './planners.ts'
import { runReactions } from './reactions.ts'
import { runRoutes } from './routes/index.ts'
import { presentStatus } from './routes/present-run.ts'
import { reasonFor } from './rules/reason-for.ts'
import { type HeldFilter, type HeldRun, listHeldForks } from './store/approvals.ts'
import { type AttemptRow, isInHand, listAttempts } from './store/attempts.ts'
import { countByStatus } from './store/count-runs.ts'
import { type DecidedFilter, type DecidedFork, findForkDecisionTime, listDecidedForks } from './store/decided-forks.ts'
import { listUsualTimes, type UsualTime } from './store/last-success.ts'
import { findRunStatus } from './store/list-runs.ts'
import {
  listOfPullRequest,
  listRuleOrigins,
  type PullRequestAsked,
  type PullRequestRun,
} from './store/pull-request-runs.ts'
import { listAskers, type RunAsker, recordAskers } from './store/run-askers.ts'
import type { RunStatusRow } from './store/run-columns.ts'
import { listSucceeded, type SucceededAttempt, type SuccessWish } from './store/run-outcome.ts'
import { findStanding, listSteps, type RunStanding, type StandingStep } from './store/run-standing.ts'
import {
  countUnfinished,
  listRecentOf,
  listTeams,
  listUnfinishedOf,
  type RecentFilter,
  type RecentRun,
  type UnfinishedRun,
} from './store/started-runs.ts'
import { runTools } from './tools.ts'

export type { DecidedApproval } from './actions/decide-approval.ts'
export type { RunDescription } from './actions/describe-run.ts'
export type { JudgedStart, Refusal, WantedStart } from './actions/judge-start.ts'
export type { ClaimedRun } from './actions/load-progress.ts'
export type { ProgressStore } from './actions/open-progress.ts'
export type { NewRun, RunnablePipeline } from './actions/queue-runs.ts'
export type { RunOutcome } from './actions/read-outcome.ts'
export type { RequestedStart, StartablePipeline } from './actions/require-start.ts'
export type { SavedRound } from './actions/save-round.ts'
export type { AboveRuns, CheckoutFinder, FoundCheckout, HeadReader, RepositoryWish, RequestReader } from './means.ts'
export type { RunProgress } from './rules/progress-rows.ts'
export type { RunInFlight } from './rules/run-in-flight.ts'
export type { RanImage } from './rules/stored-json.ts'
export type { PinRow } from './rules/stored-rows.ts'
export type { HeldRun } from './store/approvals.ts'
export type { AttemptRow } from './store/attempts.ts'
export type { EndedChildRow } from './store/children.ts'
export type { WaitingRow } from './store/claims.ts'
export type { DecidedFilter, DecidedFork, DecidedPlace } from './store/decided-forks.ts'
export type { DueRow } from './store/due.ts'
export type { BrokenRow } from './store/ended-runs.ts'
export type { PullRequestRun } from './store/pull-request-runs.ts'
export type { SucceededAttempt } from './store/run-outcome.ts'
export type { RunStanding, StandingStep } from './store/run-standing.ts'
export type { AttemptCancel, AttemptInsert, AttemptLease, AttemptReport } from './store/save-progress.ts'
export type { RecentRun, UnfinishedRun } from './store/started-runs.ts'
export type { SharedPlace } from './store/workspaces.ts'

export interface Runs {
  /**
   * The pipeline at its newest version, where the subject may start it now as wanted; else why not. `name` is how the
   * subject is called; an undefined subject is gone or disabled.
   */
  judgeStart(subject: Caller | undefined, name: string, wanted: WantedStart): Promise<JudgedStart>
  /**
   * The pipeline and the scope, where the caller may have such a start. Throws run.not_startable (400), which names the
   * field, or forbidden (403).
   */
  requireStart(db: Queryable, caller: Caller, wanted: RequestedStart): Promise<StartablePipeline>
  /** Why a rule started nothing, as a reader of the rule may see it: it was written for the owner. */
  readonly reasonFor: typeof reasonFor
  /** The commit that a branch or tag points at now, as the caller may see it; else a sentence for the field. */
  findCheckout: CheckoutFinder
  /** Runs of these schedules that have not finished, oldest first. */
  listUnfinishedOf(db: Queryable, scheduleIds: readonly string[]): Promise<UnfinishedRun[]>
  /** The newest runs of a schedule within what somebody may see. */
  listRecentOf(db: Queryable, scheduleId: string, filter: RecentFilter): Promise<RecentRun[]>
  /** The team of each of these runs, by their ids. */
  listTeams(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Those of these runs that the caller may see. One that is gone is nobody's to see. */
  listSeen(db: Queryable, caller: Caller, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** How many of these runs have not finished. */
  countUnfinished(db: Queryable, ids: readonly string[]): Promise<number>
  /** Cancels runs in the caller's transaction; dispatchers end those in hand. Answers the causes of those that ended. */
  cancel(tx: Tx, order: CancelOrder): Promise<readonly string[]>
  /** Queues validated, authorized runs in the caller's transaction; answers their ids in the order given. */
  queue(db: Queryable, runs: readonly NewRun[]): Promise<string[]>
  /**
   * As `queue`, for `Database.pipeline`: queues runs whose ids are known, and decides what they mean for others of their
   * group or pull request. Locks those until the transaction ends: give them last.
   */
  queueing(runs: readonly (NewRun & { readonly id: string })[]): readonly Statement[]
  /** Cancels the unfinished runs that triggers started for pull requests; for `Database.pipeline` or `execute`. */
  canceling(wishes: readonly CancelWish[]): readonly Statement[]
  /** Lets a run of a pull request from a fork begin, or ends it; see the action for what it throws. */
  decideFork(origin: RequestOrigin, id: string, input: ApprovalInput): Promise<DecidedApproval>
  /** As `decideFork`, as a part of the caller's transaction. */
  prepareForkDecision(origin: RequestOrigin, id: string, input: ApprovalInput): Promise<ForkDecision>
  /** Repeats a run as a part of the caller's transaction; throws what the request for it throws. */
  prepareRerun(origin: RequestOrigin, id: string, wish: NonNullable<RerunInput>): Promise<(tx: Tx) => Promise<string>>
  /** The newest runs of a pull request, whoever may see them, newest first. */
  listOfPullRequest(db: Queryable, asked: PullRequestAsked): Promise<PullRequestRun[]>
  /** Clone addresses of a repository for whose pull requests a rule started the pipeline, of the newest runs. */
  listRuleOrigins(db: Queryable, pipeline: string, repository: string): Promise<string[]>
  /** Notes who asked at a provider for runs that are started in the name of somebody else. */
  recordAskers(tx: Tx, runIds: readonly string[], asker: RunAsker): Promise<void>
  /** Of each run whoever asked at a provider for it, or for a run above it. */
  listAskers(db: Queryable, runIds: readonly string[]): Promise<ReadonlyMap<string, readonly RunAsker[]>>
  /** Why a run that has not begun waits, as its detail says it; null: nothing to say. */
  explainWait(viewer: Caller, id: string): Promise<string | null>
  /** A run with its graph, where each part of it stands, and why what waits does. Throws 404 as `explainWait`. */
  describe(viewer: Caller, id: string): Promise<RunDescription>
  /** How long each task of the run usually takes: the median of the newest successes of its pipeline in its scope. */
  listUsualTimes(run: Pick<RunDescription['run'], 'id' | 'pipeline_id' | 'scope'>): Promise<readonly UsualTime[]>
  /** Runs that wait for the approval of a fork, newest first. */
  listHeld(db: Queryable, filter: HeldFilter): Promise<HeldRun[]>
  /** Runs of forks about which somebody has decided, the newest decision first. */
  listDecidedForks(db: Queryable, filter: DecidedFilter): Promise<DecidedFork[]>
  findForkDecisionTime(db: Queryable, id: string, prefixes: readonly string[]): Promise<Date | undefined>
  /** The scope of a run that names none: the only environment of the pipeline's team; else a sentence that says why. */
  findDefaultScope(db: Queryable, teamPath: string): Promise<{ readonly scope: string } | { readonly problem: string }>
  /** Throws 404 for a run that the caller may not see, 403 for one without `permission`. */
  findVisible(caller: Caller, id: string, permission: Permission): Promise<RunStatusRow>
  /** The run's status as every room answers it. */
  presentStatus(row: RunStatusRow): RunStatusAnswer
  /** Why somebody may not have what a pipeline names, by directive; none: they may have all of it. */
  findFaults(db: Queryable, caller: Caller, wanted: WantedReferences): Promise<readonly Fault[]>
  /** Runs that have not finished, by status, at and below these team paths. */
  countUnfinishedBy(db: Queryable, prefixes: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * At and below these team paths: the runs that ended, and the pipelines whose newest run failed, where the one before
   * succeeded; the latest first.
   */
  readEnded(db: Queryable, prefixes: readonly string[], wish: EndedWish): Promise<EndedRuns>
  /** Whether it has finished; also true of a run that does not exist. */
  isOver(db: Queryable, id: string): Promise<boolean>
  /** Where a run stands now; undefined: there is none. */
  findStanding(db: Queryable, id: string): Promise<RunStanding | undefined>
  /** The steps of a run in the order of its document, as far as they are known. */
  listSteps(db: Queryable, runId: string): Promise<readonly StandingStep[]>
  /** What became of a run, as far as it did not go well; undefined: there is none. */
  readOutcome(db: Queryable, id: string): Promise<RunOutcome | undefined>
  /** Attempts of tasks that succeeded in other runs of the pipeline, the best to compare with first. */
  listSucceeded(db: Queryable, wish: SuccessWish): Promise<readonly SucceededAttempt[]>
  /** The attempts of a run in the order in which they were made. */
  listAttempts(db: Queryable, runId: string): Promise<AttemptRow[]>
  /** Whether a runner has the attempt now, by its lease. */
  isInHand(db: Queryable, attemptId: string): Promise<boolean>
  readonly metrics: RunMetrics
  readonly progress: ProgressStore
}

export const runs = defineRoom<Runs, Omit<Doors<Means>, 'observe' | 'eventTexts' | 'runLists' | 'statusWaits'>>({
  name: 'execution/runs',
  open(kit, needs) {
    const metrics = createRunMetrics(kit)
    const observe = (status: string, cause: string): void => {
      const at = kit.clock.now()
      metrics.finished({ status, cause, queuedAt: at, startedAt: null }, at)
    }
    const means: Means = {
      ...kit,
      ...needs,
      observe,
      eventTexts: keepEventTexts(),
      runLists: new SharedReadings(),
      statusWaits: createFairShares(MOST_WAITING),
    }
    return {
      door: {
        queue: (db, newRuns) => queueRuns(means, db, newRuns),
        queueing: (newRuns) => queueingRuns(means, newRuns),
        canceling: (wishes) => cancelingRuns(means, wishes),
        decideFork: (origin, id, input) => decideFork(means, origin, id, input),
        prepareForkDecision: (origin, id, input) => prepareForkDecision(means, origin, id, input),
        async prepareRerun(origin, id, wish) {
          const { queue } = await prepareRerun(means, origin, id, wish)
          return (tx) => queue(tx, means)
        },
        listOfPullRequest,
        listRuleOrigins,
        recordAskers,
        listAskers,
        explainWait: (viewer, id) => explainWait(means, viewer, id),
        describe: async (viewer, id) => describeRun(means, await findVisibleRun(means, viewer, id), viewer),
        listUsualTimes: (run) => listUsualTimes(kit.database.kysely, run, SUCCESSES),
        listHeld: listHeldForks,
        listDecidedForks,
        findForkDecisionTime,
        findDefaultScope: (db, teamPath) => findDefaultScope(means, db, teamPath),
        async findVisible(caller, id, permission) {
          const run = await findVisibleStatus(means, caller, id)
          requirePermission(caller, permission, run.team_path)
          return run
        },
        presentStatus,
        async isOver(db, id) {
          const run = await findRunStatus(db, id)
          return run === undefined || run.finished_at !== null
        },
        findFaults: (db, caller, wanted) => findFaults(means, db, caller, wanted),
        findStanding,
        reasonFor,
        judgeStart: (subject, name, wanted) => judgeStart(means, subject, name, wanted),
        requireStart: (db, caller, wanted) => requireStart(means, db, caller, wanted),
        findCheckout: (caller, wish) => means.above.findCheckout(caller, wish),
        listUnfinishedOf,
        listRecentOf,
        countUnfinished,
        countUnfinishedBy: countByStatus,
        readEnded: createEndedReader(kit.clock),
        listTeams,
        listSeen,
        cancel: (tx, order) => cancelRuns(means, tx, order),
        listSteps,
        readOutcome: (db, id) => readOutcome(means, db, id),
        listSucceeded,
        listAttempts,
        isInHand,
        progress: openProgress(means),
        metrics,
      },
      reactions: runReactions(means),
      problems: [runProblem],
      routes: runRoutes(means),
      tools: runTools,
      planners: runPlanners,
      live: runTopics(means),
      searches: [{ kind: 'run', find: (caller, wish) => searchRuns(means, caller, wish) }],
      finders: [{ find: (caller, clue, limit) => findRuns(means, caller, clue, limit) }],
    }
  },
})

/** Fewer would be chance, more cost more than they tell. */
const SUCCESSES = 10
