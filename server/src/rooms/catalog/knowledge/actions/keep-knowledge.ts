import { createFreshCopy, type FreshCopy } from '#platform/database'
import type { Kit, Loop } from '#platform/room'
import { createCopy, type KnowledgeCopy } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** After this time the revision is compared, so that a lost listening connection is noticed. */
const MAX_AGE_MS = 5000
const TIMEOUT_MS = 1500

/** All rules and active emergencies in memory, as new as the last notification, so that judging needs no query. */
export function keepKnowledge(kit: Kit): FreshCopy<KnowledgeCopy> {
  return createFreshCopy({
    database: kit.database,
    clock: kit.clock,
    channel: 'knowledge_changed',
    maxAgeMs: MAX_AGE_MS,
    timeoutMs: TIMEOUT_MS,
    revision: store.readRevision,
    async load(db) {
      // Read before the rows, so that these are at least as new as the revision.
      const revision = await store.readRevision(db)
      const items = await store.listCopiedItems(db)
      const emergencies = await store.listActiveEmergencies(db)
      return createCopy(revision, items, emergencies)
    },
  })
}

/**
 * Repeated each second: the copy is read before the first run needs it, and compared with the tables before it is too old.
 * An error is ignored here, because the next reader of the copy gets it.
 */
export function keepAtHand(copy: FreshCopy<KnowledgeCopy>): Loop {
  return {
    name: 'keep the knowledge at hand',
    role: 'dispatcher',
    run: async () => void (await copy.get().catch(() => undefined)),
  }
}
