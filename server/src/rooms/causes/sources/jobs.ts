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
        const belowId = firstIdOf(now - KEY_DAYS * DAY_MS)
        while (!signal.aborted && (await store.dropKeys(kit.database.kysely, belowId, BATCH)) === BATCH);
      },
    },
  ]
}

/** The lowest UUIDv7 of a millisecond. */
function firstIdOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
