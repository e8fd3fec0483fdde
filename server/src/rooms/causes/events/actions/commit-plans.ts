import { execute, type Tx } from '#platform/database'
import type { Kit } from '#platform/room'
import type { Runs } from '#rooms/execution/runs'
import { isRepeated } from '../store/starts.ts'
import { consequences } from './admit-events.ts'
import { markRepeated, repeatThemselves } from './mark-repeated.ts'
import type { EventPlan } from './plan-event.ts'

/** Other deliveries may start the same between two tries, each time another one; more often is no accident. */
const TRIES = 10

/**
 * Commits what one event leads to, together with `record`, in one transaction. Runs that another delivery of the same
 * event started are left out. Answers the plan as it was committed; undefined where `record` says that nothing is to do.
 */
export async function commitPlan(
  kit: Kit,
  runs: Pick<Runs, 'queueing' | 'canceling'>,
  plan: EventPlan,
  record: (tx: Tx, plan: EventPlan) => Promise<boolean>,
): Promise<EventPlan | undefined> {
  let current = plan
  // What claims nothing is refused by no statement: it is asked first whether it repeats another.
  if (!plan.vouched || repeatThemselves([current])) current = await withoutRepeated(kit, plan)
  for (let tries = 1; ; tries++) {
    const trying = current
    try {
      return await kit.database.transaction(async (tx) => {
        if (!(await record(tx, trying))) return undefined
        for (const statement of consequences(runs, [trying])) await execute(tx, statement)
        return trying
      })
    } catch (error) {
      if (tries >= TRIES || !isRepeated(error)) throw error
      current = await withoutRepeated(kit, plan)
    }
  }
}

async function withoutRepeated(kit: Kit, plan: EventPlan): Promise<EventPlan> {
  const [marked] = await markRepeated(kit.database.kysely, [plan])
  return marked ?? plan
}
