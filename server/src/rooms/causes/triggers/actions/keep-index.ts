import { createFreshCopy, type FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import { buildTriggerIndex, type TriggerIndex } from '../rules/index.ts'
import * as store from '../store.ts'

/** A lost listening connection is noticed by then at the latest (the revision is compared). */
const MAX_AGE_MS = 5000
const TIMEOUT_MS = 1500

/** All triggers in memory, as new as the last notification: matching makes no query. */
export function keepIndex(kit: Kit): FreshCopy<TriggerIndex> {
  return createFreshCopy({
    database: kit.database,
    clock: kit.clock,
    channel: 'triggers_changed',
    maxAgeMs: MAX_AGE_MS,
    timeoutMs: TIMEOUT_MS,
    revision: store.readRevision,
    async load(db) {
      const index = buildTriggerIndex(await store.listAllTriggers(db))
      for (const { trigger, problem } of index.broken) {
        kit.log.warn({ triggerId: trigger.id, problem }, 'a trigger cannot be read and matches nothing')
      }
      return index
    },
  })
}
