import type { Kit } from '#platform/room'
import type { Delivery } from '../rules/index.ts'
import { tellDeliveries } from '../store/commit.ts'

export interface ToldDeliveries {
  /** After the commit of these deliveries. */
  note(deliveries: readonly Delivery[]): void
}

/** Between two statements that tell of deliveries. */
const REST_MS = 200

/**
 * Tells open pages of stored deliveries, at most 5 times a second however many come. In the transaction of each group the
 * notification would cost PostgreSQL a third more for a delivery that matches nothing: a commit that notifies waits for all
 * others that do. A process that is killed meanwhile leaves its last deliveries untold, but its pages read everything again.
 */
export function createToldDeliveries({ database, clock, log }: Kit): ToldDeliveries {
  /** By source; a source with several names none. */
  const untold = new Map<string, string>()
  let isTelling = false

  async function tell(): Promise<void> {
    isTelling = true
    while (untold.size > 0) {
      const payloads = [...untold.values()]
      untold.clear()
      await tellDeliveries(database.kysely, payloads).catch((error: Error) =>
        log.debug({ err: error.message }, 'pages hear of deliveries later'),
      )
      await clock.sleep(REST_MS)
    }
    isTelling = false
  }

  return {
    note(deliveries) {
      for (const { id, sourceId } of deliveries) {
        untold.set(sourceId, untold.has(sourceId) ? `created ${sourceId}` : `created ${sourceId} ${id}`)
      }
      if (!isTelling) void tell()
    },
  }
}
