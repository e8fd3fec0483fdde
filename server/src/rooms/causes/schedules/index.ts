import type { Queryable } from '#platform/database'
import { prefixesOf } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import type { StartingRule } from '#rooms/catalog/pipelines'
import { createBackfiller } from './actions/start-backfills.ts'
import { scheduleProblem } from './errors.ts'
import { scheduleJobs } from './jobs.ts'
import { scheduleTopics } from './live.ts'
import type { Means } from './means.ts'
import { createScheduleMetrics } from './metrics.ts'
import { schedulePlanners } from './planners.ts'
import { backfillRoutes } from './routes/backfills.ts'
import { fireRoutes } from './routes/fires.ts'
import { scheduleRoutes } from './routes/schedules.ts'
import { backfillLoop } from './scheduler/backfill-loop.ts'
import { fireLoop } from './scheduler/fire-loop.ts'
import { createScheduler } from './scheduler/scheduler.ts'
import { countSchedules, listNextFires, type ScheduleCounts, type UpcomingFire } from './store/count-schedules.ts'
import { listStarting } from './store/schedules.ts'
import { searchSchedules } from './store/search-schedules.ts'
import { scheduleTools } from './tools.ts'

export type { ScheduleNotFired } from './facts.ts'
export type { ScheduleCounts, UpcomingFire } from './store/count-schedules.ts'

export interface Schedules {
  /** Schedules at and below these team paths. */
  count(db: Queryable, prefixes: readonly string[]): Promise<ScheduleCounts>
  /** Those of them that fire next, soonest first. */
  listNextFires(db: Queryable, prefixes: readonly string[], limit: number): Promise<readonly UpcomingFire[]>
  /** The schedules of all teams that start these pipelines; those that are disabled as well. */
  listStarting(db: Queryable, pipelines: readonly string[], most: number): Promise<readonly StartingRule[]>
}

export const schedules = defineRoom<Schedules, Doors<Means>>({
  name: 'causes/schedules',
  open(kit, doors) {
    const means: Means = { ...kit, ...doors }
    return {
      door: {
        count: countSchedules,
        listNextFires,
        listStarting: async (db, pipelines, most) =>
          (await listStarting(db, pipelines, most)).map((rule) => ({ ...rule, permission: 'schedule.read' as const })),
      },
      problems: [scheduleProblem],
      routes: [...scheduleRoutes(means), ...fireRoutes(means), ...backfillRoutes(means)],
      planners: schedulePlanners,
      tools: scheduleTools,
      searches: [
        {
          kind: 'schedule',
          find: (caller, wish) =>
            searchSchedules(kit.database.kysely, prefixesOf(caller, 'schedule.read', wish.within), wish),
        },
      ],
      jobs: scheduleJobs(means),
      live: scheduleTopics(means),
      loops: [
        fireLoop(means, createScheduler(means, createScheduleMetrics(kit))),
        backfillLoop(means, createBackfiller(means)),
      ],
    }
  },
})
