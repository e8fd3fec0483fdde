import type { Tx } from '#platform/database'
import type { Means } from '../means.ts'
import { findTask } from '../rules/find-task.ts'
import type { RoundLedger } from '../rules/round-ledger.ts'
import { holderFor, pinnedTo } from '../rules/shared-workspace.ts'

/** Attempts in a shared workspace go to the runner that has it. Asks the database only where there are such attempts. */
export async function pinWishes({ runs }: Means, tx: Tx, ledger: RoundLedger): Promise<void> {
  const shared = ledger.wishes.filter(({ runId, step, task }) => {
    const run = ledger.runs.get(runId)
    return run && findTask(run.graph, step, task)?.step.sharedWorkspace
  })
  if (shared.length === 0) return
  const places = await runs.progress.findSharedPlaces(tx, shared)
  ledger.wishes = ledger.wishes.map((wish) => {
    if (!shared.includes(wish)) return wish
    const place = places.find(({ runId, step }) => runId === wish.runId && step === wish.step)
    const lastStatus = place && ledger.reports.get(place.lastAttemptId)?.status
    return pinnedTo(wish, holderFor(place, wish.task, lastStatus))
  })
}
