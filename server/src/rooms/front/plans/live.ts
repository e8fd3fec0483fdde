import type { LiveChange, LiveTopic } from '#platform/live'
import { readTold } from '#platform/live'
import { judgeStandings } from './actions/find-plan.ts'
import type { Means } from './means.ts'
import { findPlans } from './store.ts'

/**
 * `plans` hears of the plans of the follower, and of those that the follower could approve. Everybody may follow it: a change
 * is told to those alone who may see the plan. That depends on the account, so each is judged by itself.
 */
export function planTopics(means: Means): LiveTopic[] {
  return [
    {
      kind: 'plans',
      of: 'nothing',
      channels: ['plan_changed'],
      mayFollow: async () => true,
      async read(payloads) {
        const told = payloads.map(readTold)
        const ids = [...new Set(told.map(({ place }) => place))]
        const plans = await findPlans(means.database.kysely, ids)
        const looks = await judgeStandings(means, plans)
        const lookAt = new Map(plans.map(({ id }, at) => [id, looks[at]]))
        return told.map(
          ({ change, place }): LiveChange => ({
            id: place,
            change,
            names: [''],
            isFor: (viewer) => lookAt.get(place)?.(viewer).standing.maySee === true,
          }),
        )
      },
    },
  ]
}
