import type { JobDefinition } from '#platform/jobs'
import type { Means } from './means.ts'
import { dropBackfills } from './store/backfills.ts'
import { dropFires } from './store/fires.ts'

const DAY_MS = 86_400_000
/** Rows that one statement drops: a backfill takes up to a thousand fires with it. */
const SWEEPS = [
  { drop: dropFires, batch: 1000 },
  { drop: dropBackfills, batch: 5 },
] as const

export function scheduleJobs({ config, clock, database }: Means): JobDefinition[] {
  return [
    {
      name: 'schedules.drop-old-fires',
      cron: '23 * * * *',
      async run(_payload, signal) {
        const before = new Date(clock.now().getTime() - config.scheduleFireRetentionDays * DAY_MS)
        for (const { drop, batch } of SWEEPS) {
          while (!signal.aborted && (await drop(database.kysely, before, batch)) === batch);
        }
      },
    },
  ]
}
