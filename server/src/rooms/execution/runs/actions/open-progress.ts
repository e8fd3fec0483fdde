import { type Queryable, type Tx } from '#platform/database'
import type { Means } from '../means.ts'
import type { RunInFlight } from '../rules/run-in-flight.ts'
import {
  countWaiting,
  listAssigned,
  listPinned,
  lockExpired,
  lockWaiting,
  noteWait,
  renewAllLeases,
  renewLeases,
  renewLeasesOf,
} from '../store/attempts.ts'
import { listEndedChildren, readFamily } from '../store/children.ts'
import { type ClaimWish, claimWaiting, listLanes } from '../store/claims.ts'
import { countByStatus, countLeased } from '../store/count-runs.ts'
import { listDue } from '../store/due.ts'
import { readFinalOutputs } from '../store/final-outputs.ts'
import { listLeases } from '../store/leases.ts'
import { findSharedPlaces, listOver, noteWorkspace, takeLeftWorkspaces } from '../store/workspaces.ts'
import { breakDeadlocks } from './break-deadlocks.ts'
import { endLateChildren } from './end-late-children.ts'
import { expireQueued } from './expire-queued.ts'
import { failRun } from './fail-run.ts'
import { claimQueuedRuns, loadInFlight } from './load-progress.ts'
import { loadReuse } from './load-reuse.ts'
import { makeLateOutputs } from './make-final-outputs.ts'
import { pastOf } from './read-past.ts'
import { releaseGroups } from './release-groups.ts'
import { type ProgressRound, saveRound } from './save-round.ts'

/** The dispatcher moves runs by these; no other room calls them. */
export function openProgress(means: Means) {
  return {
    listLanes,
    claimQueued: (tx: Tx, wish: ClaimWish, notice: (runId: string) => void) => claimQueuedRuns(means, tx, wish, notice),
    claimWaiting,
    load: (db: Queryable, ids: readonly string[]) => loadInFlight(means, db, ids),
    past: pastOf(means),
    failRun: (tx: Tx, id: string, reason: string) => failRun(means, tx, { id, reason, ifWithheld: false }),
    save: (tx: Tx, round: ProgressRound) => saveRound(means, tx, round),
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
    loadReuse: (db: Queryable, run: RunInFlight) => loadReuse(means, db, run),
    listEndedChildren,
    readFamily,
    readFinalOutputs,
    /**
     * Does the work that no event starts. Ends runs that no runner took in time, and child runs that wait in a circle.
     * Cancels child runs of tasks that timed out, and makes late final outputs. Call it outside of transactions.
     */
    async tidyUp() {
      await expireQueued(means)
      await breakDeadlocks(means)
      await endLateChildren(means)
      await makeLateOutputs(means)
    },
    takeLeftWorkspaces,
    listOver,
    releaseGroups: () => releaseGroups(means.database),
    countByStatus,
    countWaiting,
    countLeased,
    listLeases,
  }
}

export type ProgressStore = ReturnType<typeof openProgress>
