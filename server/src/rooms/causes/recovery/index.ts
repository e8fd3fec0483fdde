import { defineRoom } from '#platform/room'
import { recoveryJobs } from './jobs.ts'
import type { Asked, Means } from './means.ts'
import { createRecoveryMetrics } from './metrics.ts'
import { recoveryReactions } from './reactions.ts'
import { recoveryRoutes } from './routes.ts'

/** Nobody asks this room anything: it asks providers for what was missed, and answers its routes. */
export const recovery = defineRoom<undefined, Asked>({
  name: 'causes/recovery',
  open(kit, asked) {
    const means: Means = { ...kit, ...asked, recoveryMetrics: createRecoveryMetrics(kit.metrics) }
    return {
      door: undefined,
      routes: recoveryRoutes(means),
      jobs: recoveryJobs(means),
      reactions: recoveryReactions(means),
    }
  },
})
