import { execute, type Tx } from '#platform/database'
import type { Means } from '../means.ts'
import { isRepeated } from '../store/starts.ts'
import { consequences } from './admit-events.ts'
import type { EventPlan } from './event-plan.ts'
import { markRepeated, repeatThemselves } from './mark-repeated.ts'

/** Other deliveries may start the same between two tries, each time another one; more often is no accident. */
const TRIES = 10

/**
 * Commits what one event leads to, together with `record`, in one transaction; then tells that runs were queued. Runs that
 * another delivery of the same event started are left out. Answers the plan as it was committed; undefined where `record`
 * says that nothing is to do.
 */
export async function commitPlan(
  means: Means,
  plan: EventPlan,
  record: (tx: Tx, plan: EventPlan) => Promise<boolean>,
): Promise<EventPlan | undefined> {
  let current = plan
  // No statement refuses a plan that claims nothing, so the plan is first compared with what was started before.
  if (!plan.vouched || repeatThemselves([current])) current = await withoutRepeated(means, plan)
  for (let tries = 1; ; tries++) {
    const trying = current
    try {
      return await means.database.transaction(
        async (tx) => {
          if (!(await record(tx, trying))) return undefined
          for (const statement of consequences(means, [trying])) await execute(tx, statement)
          return trying
        },
        {
          afterCommit(committed) {
            if (committed && committed.starts.length > 0) means.onRunsQueued()
          },
        },
      )
    } catch (error) {
      if (tries >= TRIES || !isRepeated(error)) throw error
      current = await withoutRepeated(means, plan)
    }
  }
}

async function withoutRepeated(means: Means, plan: EventPlan): Promise<EventPlan> {
  const [marked] = await markRepeated(means.database.kysely, [plan])
  return marked ?? plan
}
