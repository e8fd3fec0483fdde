import type { JobDefinition } from '#platform/jobs'
import type { Means } from './means.ts'
import { dropFires } from './store/fires.ts'

const DAY_MS = 86_400_000
const BATCH = 1000

export function scheduleJobs({ config, clock, database }: Means): JobDefinition[] {
  return [
    {
      name: 'schedules.drop-old-fires',
      cron: '23 * * * *',
      async run(_payload, signal) {
        const before = new Date(clock.now().getTime() - config.scheduleFireRetentionDays * DAY_MS)
        while (!signal.aborted && (await dropFires(database.kysely, before, BATCH)) === BATCH);
      },
    },
  ]
}
