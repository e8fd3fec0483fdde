import type { Kit } from '#platform/room'
import { endLateAttempts, TASK_TIME_OVER } from '../store/children.ts'
import { cancelRuns, type Observe } from './change-runs.ts'

/** Cancels the runs of tasks whose time is over; they end as any that is canceled. */
export async function endLateChildren(kit: Kit, observe: Observe): Promise<void> {
  const at = kit.clock.now()
  const causes = await kit.database.transaction(async (tx) => {
    const ids = await endLateAttempts(tx, at)
    return ids.length === 0 ? [] : await cancelRuns(kit, tx, { ids, reason: TASK_TIME_OVER, at })
  })
  for (const cause of causes) observe('canceled', cause)
}
