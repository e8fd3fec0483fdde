import { createFreshCopy, type FreshCopy } from '#platform/database'
import type { Kit, Loop } from '#platform/room'
import { type HeldKnowledge, holdKnowledge } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** A lost listening connection is noticed by then at the latest (the revision is compared). */
const MAX_AGE_MS = 5000
const TIMEOUT_MS = 1500

/** All rules and emergencies in memory, as new as the last notification: judging asks no query. */
export function keepKnowledge(kit: Kit): FreshCopy<HeldKnowledge> {
  return createFreshCopy({
    database: kit.database,
    clock: kit.clock,
    channel: 'knowledge_changed',
    maxAgeMs: MAX_AGE_MS,
    timeoutMs: TIMEOUT_MS,
    revision: store.readRevision,
    async load(db) {
      // Before the rows: they are at least as new as it.
      const revision = await store.readRevision(db)
      const items = await store.listHeldItems(db)
      const emergencies = await store.listHeldEmergencies(db)
      return holdKnowledge(revision, items, emergencies)
    },
  })
}

/**
 * Begun again each second: the copy is read before the first run asks for it, and compared with the tables before it is
 * too old to be believed. Where that fails, whoever needs it hears of it.
 */
export function keepAtHand(copy: FreshCopy<HeldKnowledge>): Loop {
  return {
    name: 'keep the knowledge at hand',
    role: 'dispatcher',
    run: async () => void (await copy.get().catch(() => undefined)),
  }
}
