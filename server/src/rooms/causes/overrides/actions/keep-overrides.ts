import { createFreshCopy, type FreshCopy } from '#platform/database'
import type { Kit } from '#platform/room'
import { createFinder, type Finder } from '../rules/index.ts'
import * as store from '../store.ts'

/** A lost listening connection is noticed by then at the latest (the revision is compared). */
const MAX_AGE_MS = 5000
const TIMEOUT_MS = 1500

/** All overrides in memory, as new as the last notification: an event asks no query. */
export function keepOverrides(kit: Kit): FreshCopy<Finder> {
  return createFreshCopy({
    database: kit.database,
    clock: kit.clock,
    channel: 'overrides_changed',
    maxAgeMs: MAX_AGE_MS,
    timeoutMs: TIMEOUT_MS,
    revision: store.readRevision,
    load: async (db) => createFinder(await store.listAllOverrides(db)),
  })
}
