import type { Permission } from '@signalbox/contracts/access'
import type { ApprovalInput } from '@signalbox/contracts/approvals'
import type { RunStatusAnswer } from '@signalbox/contracts/runs'
import type { Queryable, Statement, Tx } from '#platform/database'
import { type Caller, type RequestOrigin, requirePermission } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { findDefaultScope } from './actions/authorize-run.ts'
import { breakDeadlocks } from './actions/break-deadlocks.ts'
import { type CancelWish, cancelingRuns } from './actions/cancel-matching.ts'
import { type DecidedApproval, decideFork } from './actions/decide-approval.ts'
import { endLateChildren } from './actions/end-late-children.ts'
import { expireQueued } from './actions/expire-queued.ts'
import { failRun, type HeldOfFailed } from './actions/fail-run.ts'
import { type Fault, findFaults, type WantedReferences } from './actions/find-faults.ts'
import { findVisibleStatus } from './actions/find-visible-run.ts'
import { type ClaimedRuns, claimQueuedRuns, loadInFlight } from './actions/load-progress.ts'
import { loadReuse } from './actions/load-reuse.ts'
import { makeLateOutputs } from './actions/make-final-outputs.ts'
import { type NewRun, queueingRuns, queueRuns } from './actions/queue-runs.ts'
import { releaseGroups } from './actions/release-groups.ts'
import { type ProgressRound, type SavedRound, saveRound } from './actions/save-round.ts'
import { runProblem } from './errors.ts'
import type { Means } from './means.ts'
import { createRunMetrics, type RunMetrics } from './metrics.ts'
import { runReactions } from './reactions.ts'
import { runRoutes } from './routes/index.ts'
import { presentStatus } from './routes/present-run.ts'
import type { ReuseResult } from './rules/reuse.ts'
import type { RunInFlight } from './rules/run-in-flight.ts'
import { type HeldFilter, type HeldRun, listHeldForks } from './store/approvals.ts'
import {
  type AttemptRow,
  countWaiting,
  isInHand,
  listAssigned,
  listAttempts,
  listPinned,
  lockExpired,
  lockWaiting,
  noteWait,
  type PinnedAttempt,
  type Renewed,
  type RunnerWait,
  renewAllLeases,
  renewLeases,
  renewLeasesOf,
} from './store/attempts.ts'
import { type EndedChildRow, type FamilyRow, listEndedChildren, readFamily } from './store/children.ts'
import { type ClaimWish, claimWaiting, listLanes, type WaitingRow } from './store/claims.ts'
import { countByStatus, countLeased } from './store/count-runs.ts'
import { type DueRow, listDue } from './store/due.ts'
import { readFinalOutputs } from './store/final-outputs.ts'
import { findRunStatus, type RunStatusRow } from './store/list-runs.ts'
import { findStanding, type RunStanding } from './store/run-standing.ts'
import {
  findSharedPlaces,
  type LeftWorkspace,
  listOver,
  noteWorkspace,
  type SharedPlace,
  type StepWorkspace,
  takeLeftWorkspaces,
} from './store/workspaces.ts'

export type { CancelWish } from './actions/cancel-matching.ts'
export type { DecidedApproval } from './actions/decide-approval.ts'
export type { HeldOfFailed } from './actions/fail-run.ts'
export type { ClaimedRun, ClaimedRuns } from './actions/load-progress.ts'
export type { NewRun, RunConcurrency, RunnablePipeline } from './actions/queue-runs.ts'
export type { FinishedRun, ProgressRound, SavedRound } from './actions/save-round.ts'
export type { RunDecided, RunFinished } from './facts.ts'
export type { AboveRuns, CheckoutFinder, HeadReader, RepositoryWish, RequestReader } from './means.ts'
export type { RunProgress } from './rules/progress-rows.ts'
export type { ParentAttempt, RunCheckout, RunInFlight } from './rules/run-in-flight.ts'
export type { RanImage } from './rules/stored-json.ts'
export type { PinRow } from './rules/stored-rows.ts'
export type { HeldFilter, HeldRun } from './store/approvals.ts'
export type { AttemptRow, PinnedAttempt, Renewed } from './store/attempts.ts'
export type { EndedChildRow } from './store/children.ts'
export type { ClaimWish, WaitingRow } from './store/claims.ts'
export type { DueRow } from './store/due.ts'
export type { RunStatusRow } from './store/list-runs.ts'
export type { RunStanding } from './store/run-standing.ts'
export type { AttemptCancel, AttemptInsert, AttemptLease, AttemptReport, SavedAttempt } from './store/save-progress.ts'
export type { SharedPlace } from './store/workspaces.ts'

/** What the dispatcher needs to move runs; nobody else calls it. */
export interface ProgressStore {
  listLanes(db: Queryable): Promise<{ queued: string[]; waiting: string[] }>
  /** In the order of their turns. `notice` hears of each before it is read: one that cannot be may be why this throws. */
  claimQueued(tx: Tx, wish: ClaimWish, notice: (runId: string) => void): Promise<ClaimedRuns>
  claimWaiting(tx: Tx, wish: ClaimWish): Promise<WaitingRow[]>
  load(db: Queryable, ids: readonly string[]): Promise<RunInFlight[]>
  /**
   * Throws an error of code `runs.moved_on` with `runIds`, or of `runs.attempt_taken`, when the transaction must be decided
   * anew.
   */
  save(tx: Tx, round: ProgressRound): Promise<SavedRound>
  /**
   * Ends a run as a failure that nothing else can move, with all that it began; answers what runners are to be told to end.
   * For a run whose progress cannot be stored, not for one that fails.
   */
  failRun(tx: Tx, id: string, reason: string): Promise<readonly HeldOfFailed[]>
  listAssigned(db: Queryable, runnerId: string, fences: readonly number[]): Promise<AttemptRow[]>
  renewLeases(db: Queryable, runnerId: string, fences: readonly number[], until: Date): Promise<Renewed[]>
  renewAllLeases(db: Queryable, until: Date): Promise<void>
  /** What an attempt that has not begun waits for on its runner, as a sentence; null: it goes on. */
  noteWait(db: Queryable, runnerId: string, wait: RunnerWait): Promise<void>
  renewLeasesOf(db: Queryable, runnerIds: readonly string[], until: Date): Promise<void>
  lockExpired(tx: Tx, ids: readonly string[], now: Date): Promise<Set<string>>
  lockWaiting(tx: Tx, ids: readonly string[]): Promise<Set<string>>
  /** Attempts that wait for the runner that has the workspace of their step. */
  listPinned(db: Queryable, limit: number): Promise<PinnedAttempt[]>
  /** Where the tasks of these steps ran last. */
  findSharedPlaces(db: Queryable, steps: readonly StepWorkspace[]): Promise<SharedPlace[]>
  noteWorkspace(db: Queryable, workspace: LeftWorkspace): Promise<void>
  listDue(db: Queryable, now: Date, limit: number): Promise<DueRow[]>
  /** What a run that is about to begin takes over from the one that it repeats, or a sentence: it cannot be repeated so. */
  loadReuse(db: Queryable, run: RunInFlight): Promise<ReuseResult>
  /** Runs that tasks wanted and that have ended, their final outputs included. */
  listEndedChildren(db: Queryable, limit: number): Promise<EndedChildRow[]>
  /** A run with those above and below it; the latter are counted no further than `most`. */
  readFamily(db: Queryable, runId: string, most: number): Promise<FamilyRow>
  /** The final outputs of these runs, by run and name. */
  readFinalOutputs(db: Queryable, runIds: readonly string[]): Promise<Map<string, Readonly<Record<string, string>>>>
  /**
   * What nobody else tells: runs that no runner took in time end, as do runs of tasks that would wait for their turn for
   * ever; runs of tasks whose time is over are canceled, final outputs whose jobs were lost are made. Not within a
   * transaction.
   */
  tidyUp(): Promise<void>
  /** Shared workspaces of steps that are over, which these runners may have; each is answered once. */
  takeLeftWorkspaces(db: Queryable, runnerIds: readonly string[]): Promise<LeftWorkspace[]>
  /** Which of these that a runner keeps nobody needs any more. */
  listOver(db: Queryable, runnerId: string, kept: readonly StepWorkspace[]): Promise<StepWorkspace[]>
  /** Lets the next run of each group begin that none is before; dispatchers hear of it. Not within a transaction. */
  releaseGroups(): Promise<void>
  /** Runs that have not finished, by status, at and below these team paths. */
  countByStatus(db: Queryable, prefixes: readonly string[]): Promise<Map<string, number>>
  countWaiting(db: Queryable, prefixes: readonly string[]): Promise<number>
  /** Attempts in hand, by runner. */
  countLeased(db: Queryable): Promise<Map<string, number>>
}

export interface Runs {
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
  /** Runs that wait for the approval of a fork, newest first. */
  listHeld(db: Queryable, filter: HeldFilter): Promise<HeldRun[]>
  /** The scope of a run that names none: the only environment of the pipeline's team; else a sentence that says why. */
  findDefaultScope(db: Queryable, teamPath: string): Promise<{ readonly scope: string } | { readonly problem: string }>
  /** Throws 404 for a run that the caller may not see, 403 for one without `permission`. */
  findVisible(caller: Caller, id: string, permission: Permission): Promise<RunStatusRow>
  /** The run's status as every room answers it. */
  presentStatus(row: RunStatusRow): RunStatusAnswer
  /** Why somebody may not have what a pipeline names, by directive; none: they may have all of it. */
  findFaults(db: Queryable, caller: Caller, wanted: WantedReferences): Promise<readonly Fault[]>
  /** Whether it has finished; also true of a run that does not exist. */
  isOver(db: Queryable, id: string): Promise<boolean>
  /** Where a run stands now; undefined: there is none. */
  findStanding(db: Queryable, id: string): Promise<RunStanding | undefined>
  /** The attempts of a run in the order in which they were made. */
  listAttempts(db: Queryable, runId: string): Promise<AttemptRow[]>
  /** Whether a runner has the attempt now, by its lease. */
  isInHand(db: Queryable, attemptId: string): Promise<boolean>
  readonly metrics: RunMetrics
  readonly progress: ProgressStore
}

export const runs = defineRoom<Runs, Omit<Doors<Means>, 'observe'>>({
  name: 'execution/runs',
  open(kit, needs) {
    const metrics = createRunMetrics(kit)
    const observe = (status: string, cause: string): void => {
      const at = kit.clock.now()
      metrics.finished({ status, cause, queuedAt: at, startedAt: null }, at)
    }
    const means: Means = { ...kit, ...needs, observe }
    return {
      door: {
        queue: (db, newRuns) => queueRuns(means, db, newRuns),
        queueing: (newRuns) => queueingRuns(means, newRuns),
        canceling: (wishes) => cancelingRuns(means, wishes),
        decideFork: (origin, id, input) => decideFork(means, origin, id, input),
        listHeld: listHeldForks,
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
        listAttempts,
        isInHand,
        progress: {
          listLanes,
          claimQueued: (tx, wish, notice) => claimQueuedRuns(means, tx, wish, notice),
          claimWaiting,
          load: (db, ids) => loadInFlight(means, db, ids),
          failRun: (tx, id, reason) => failRun(means, tx, { id, reason, ifWithheld: false }),
          save: (tx, round) => saveRound(means, tx, round),
          listAssigned,
          renewLeases,
          renewLeasesOf,
          renewAllLeases,
          noteWait,
          lockExpired,
          lockWaiting,
          listPinned,
          findSharedPlaces,
          noteWorkspace,
          listDue,
          loadReuse: (db, run) => loadReuse(means, db, run),
          listEndedChildren,
          readFamily,
          readFinalOutputs,
          async tidyUp() {
            await expireQueued(means)
            await breakDeadlocks(means)
            await endLateChildren(means)
            await makeLateOutputs(means)
          },
          takeLeftWorkspaces,
          listOver,
          releaseGroups: () => releaseGroups(kit.database),
          countByStatus,
          countWaiting,
          countLeased,
        },
        metrics,
      },
      reactions: runReactions(means),
      problems: [runProblem],
      routes: runRoutes(means),
    }
  },
})
