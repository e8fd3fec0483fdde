import { lowestIdOf } from '#platform/ids'
import type { JobDefinition } from '#platform/jobs'
import type { Kit } from '#platform/room'
import * as store from './store/deliveries.ts'

const DAY_MS = 86_400_000
const BATCH = 1000
/** Providers offer to send a delivery again for days, some for 30; after these nobody repeats one. */
const KEY_DAYS = 90

export function sourceJobs(kit: Kit): JobDefinition[] {
  return [
    {
      name: 'sources.drop-old-payloads',
      cron: '17 * * * *',
      async run(_payload, signal) {
        const now = kit.clock.now().getTime()
        const before = new Date(now - kit.config.deliveryRetentionDays * DAY_MS)
        while (!signal.aborted && (await store.dropPayloads(kit.database.kysely, before, BATCH)) === BATCH);
        const belowId = lowestIdOf(now - KEY_DAYS * DAY_MS)
        while (!signal.aborted && (await store.dropKeys(kit.database.kysely, belowId, BATCH)) === BATCH);
      },
    },
  ]
}
