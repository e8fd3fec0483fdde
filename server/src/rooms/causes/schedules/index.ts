import { type Doors, defineRoom } from '#platform/room'
import { createBackfiller } from './actions/start-backfills.ts'
import { scheduleProblem } from './errors.ts'
import { scheduleJobs } from './jobs.ts'
import type { Means } from './means.ts'
import { createScheduleMetrics } from './metrics.ts'
import { backfillRoutes } from './routes/backfills.ts'
import { fireRoutes } from './routes/fires.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { backfillLoop } from './scheduler/backfill-loop.ts'
import { fireLoop } from './scheduler/fire-loop.ts'
import { createScheduler } from './scheduler/scheduler.ts'

export type { ScheduleNotFired } from './facts.ts'

/** Nobody asks this room anything: it starts runs, and answers its routes. */
export const schedules = defineRoom<undefined, Doors<Means>>({
  name: 'causes/schedules',
  open(kit, doors) {
    const means: Means = { ...kit, ...doors }
    return {
      door: undefined,
      problems: [scheduleProblem],
      routes: [...scheduleRoutes(means), ...fireRoutes(means), ...backfillRoutes(means)],
      jobs: scheduleJobs(means),
      loops: [
        fireLoop(means, createScheduler(means, createScheduleMetrics(kit))),
        backfillLoop(means, createBackfiller(means)),
      ],
    }
  },
})
