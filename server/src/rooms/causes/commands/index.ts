import { defineRoom } from '#platform/room'
import { commandJobs } from './jobs.ts'
import type { Asked, Means } from './means.ts'
import { createCommandMetrics } from './metrics.ts'
import { commandReactions } from './reactions.ts'
import { commandRoutes } from './routes.ts'

/** Nobody asks this room anything: it hears of comments, and answers its route. */
export const commands = defineRoom<undefined, Asked>({
  name: 'causes/commands',
  open(kit, asked) {
    const means: Means = { ...kit, ...asked, commandMetrics: createCommandMetrics(kit.metrics) }
    return {
      door: undefined,
      routes: commandRoutes(means),
      jobs: commandJobs(means),
      reactions: commandReactions(means),
    }
  },
})
