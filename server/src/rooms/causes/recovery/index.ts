import { defineRoom } from '#platform/room'
import type { AboveHealth } from '#rooms/causes/sources'
import { findMissed } from './actions/find-missed.ts'
import { describeStanding } from './actions/read-standing.ts'
import { recoveryJobs } from './jobs.ts'
import type { Asked, Means } from './means.ts'
import { createRecoveryMetrics } from './metrics.ts'
import { recoveryReactions } from './reactions.ts'
import { recoveryRoutes } from './routes.ts'

/** What the room knows for rooms below it. */
export type Recovery = AboveHealth

export const recovery = defineRoom<Recovery, Asked>({
  name: 'causes/recovery',
  open(kit, asked) {
    const means: Means = { ...kit, ...asked, recoveryMetrics: createRecoveryMetrics(kit.metrics) }
    return {
      door: { standingOf: (source) => describeStanding(means, source), findMissed },
      routes: recoveryRoutes(means),
      jobs: recoveryJobs(means),
      reactions: recoveryReactions(means),
    }
  },
})
