import type { CountingKit } from '../means.ts'
import { findDeadlocks } from '../rules/deadlock.ts'
import { listWaitingChildren } from '../store/group-waits.ts'
import { failRun } from './fail-run.ts'

/** Ends runs of tasks that would wait for their turn for ever, so that those which wait for them go on. */
export async function breakDeadlocks(means: CountingKit): Promise<void> {
  for (const { id, reason } of findDeadlocks(await listWaitingChildren(means.database.kysely))) {
    means.log.info({ runId: id }, 'a run of a task waits for a run that waits for it, and is ended')
    await means.database.transaction((tx) => failRun(means, tx, { id, reason, ifWithheld: true }))
  }
}
