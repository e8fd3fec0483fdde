import type { Queryable, Tx } from '#platform/database'
import { defineRoom } from '#platform/room'
import type { Pipelines } from '#rooms/catalog/pipelines'
import { type ClaimedRun, claimQueuedRuns, loadInFlight } from './actions/load-progress.ts'
import { type NewRun, queueRuns } from './actions/queue-runs.ts'
import { type ProgressRound, type SavedRound, saveRound } from './actions/save-round.ts'
import type { RunInFlight } from './rules/run-in-flight.ts'
import {
  type AttemptRow,
  listAttempts,
  listHeld,
  lockExpired,
  type Renewed,
  renewAllLeases,
  renewLeases,
} from './store/attempts.ts'
import { claimWaiting, listLanes, type WaitingRow } from './store/claims.ts'
import { type DueRow, listDue } from './store/due.ts'

export type { ClaimedRun } from './actions/load-progress.ts'
export type { NewRun, RunnablePipeline } from './actions/queue-runs.ts'
export type { FinishedRun, ProgressRound, SavedRound } from './actions/save-round.ts'
export type { RunFinished } from './facts.ts'
export type { RunProgress } from './rules/progress-rows.ts'
export type { Initiator, RunCheckout, RunInFlight } from './rules/run-in-flight.ts'
export type { AttemptRow, Renewed } from './store/attempts.ts'
export type { WaitingRow } from './store/claims.ts'
export type { DueRow } from './store/due.ts'
export type { AttemptCancel, AttemptInsert, AttemptLease, AttemptReport, SavedAttempt } from './store/save-progress.ts'

/** What the dispatcher needs to move runs; nobody else calls it. */
export interface ProgressStore {
  listLanes(db: Queryable): Promise<{ queued: string[]; waiting: string[] }>
  claimQueued(tx: Tx, lanes: readonly string[], limit: number): Promise<ClaimedRun[]>
  claimWaiting(tx: Tx, lanes: readonly string[], limit: number): Promise<WaitingRow[]>
  load(db: Queryable, ids: readonly string[]): Promise<RunInFlight[]>
  /** Throws an error of code `runs.moved_on` with `runIds` when the transaction must be decided anew. */
  save(tx: Tx, round: ProgressRound): Promise<SavedRound>
  listHeld(db: Queryable, runnerId: string, fences: readonly number[]): Promise<AttemptRow[]>
  renewLeases(db: Queryable, runnerId: string, fences: readonly number[], until: Date): Promise<Renewed[]>
  renewAllLeases(db: Queryable, until: Date): Promise<void>
  lockExpired(tx: Tx, ids: readonly string[], now: Date): Promise<Set<string>>
  listDue(db: Queryable, now: Date, limit: number): Promise<DueRow[]>
}

export interface Runs {
  /** Queues validated, authorized runs in the caller's transaction; answers their ids in the order given. */
  queue(db: Queryable, runs: readonly NewRun[]): Promise<string[]>
  listAttempts(db: Queryable, runId: string): Promise<AttemptRow[]>
  readonly progress: ProgressStore
}

export interface RunNeeds {
  readonly pipelines: Pick<Pipelines, 'getGraph'>
}

export const runs = defineRoom<Runs, RunNeeds>({
  name: 'execution/runs',
  open: (kit, needs) => ({
    door: {
      queue: (db, newRuns) => queueRuns(kit, db, newRuns),
      listAttempts,
      progress: {
        listLanes,
        claimQueued: (tx, lanes, limit) => claimQueuedRuns(needs, tx, lanes, limit),
        claimWaiting,
        load: (db, ids) => loadInFlight(kit, needs, db, ids),
        save: (tx, round) => saveRound(kit, tx, round),
        listHeld,
        renewLeases,
        renewAllLeases,
        lockExpired,
        listDue,
      },
    },
  }),
})
