import type { Kit } from '#platform/room'
import { findDeadlocks } from '../rules/deadlock.ts'
import { listWaitingChildren } from '../store/group-waits.ts'
import type { Observe } from './change-runs.ts'
import { failRun } from './fail-run.ts'

/** Ends runs of tasks that would wait for their turn for ever, so that those which wait for them go on. */
export async function breakDeadlocks(kit: Kit, observe: Observe): Promise<void> {
  for (const { id, reason } of findDeadlocks(await listWaitingChildren(kit.database.kysely))) {
    kit.log.info({ runId: id }, 'a run of a task waits for a run that waits for it, and is ended')
    await kit.database.transaction((tx) => failRun(kit, observe, tx, { id, reason, ifWithheld: true }))
  }
}
