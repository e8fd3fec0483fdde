import type { CountingKit } from '../means.ts'
import { endLateAttempts, TASK_TIME_OVER } from '../store/children.ts'
import { cancelRuns } from './change-runs.ts'

/** Cancels the runs of tasks whose time is over; they end as any that is canceled. */
export async function endLateChildren(means: CountingKit): Promise<void> {
  const at = means.clock.now()
  await means.database.transaction(
    async (tx) => {
      const ids = await endLateAttempts(tx, at)
      return ids.length === 0 ? [] : await cancelRuns(means, tx, { ids, reason: TASK_TIME_OVER, at })
    },
    { afterCommit: (causes) => causes.forEach((cause) => void means.observe('canceled', cause)) },
  )
}
