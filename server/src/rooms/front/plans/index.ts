import { defineRoom } from '#platform/room'
import { planProblem } from './errors.ts'
import { planJobs } from './jobs.ts'
import { planTopics } from './live.ts'
import type { Asked, Means } from './means.ts'
import { createPlanMetrics } from './metrics.ts'
import { planRoutes } from './routes.ts'
import { planTools } from './tools/index.ts'

/** A room without a door: whoever plans asks its routes. */
export const plans = defineRoom<undefined, Asked>({
  name: 'front/plans',
  open(kit, { planners, ...asked }) {
    const means: Means = {
      ...kit,
      ...asked,
      planners: new Map(planners.map((planner) => [planner.operation, planner])),
      counts: createPlanMetrics(kit),
    }
    return {
      door: undefined,
      problems: [planProblem],
      routes: planRoutes(means),
      tools: planTools,
      jobs: planJobs(kit),
      live: planTopics(means),
    }
  },
})
