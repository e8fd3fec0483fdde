import { createFreshCopy, type FreshCopy, type Queryable } from '#platform/database'
import type { Kit, Loop } from '#platform/room'
import { TriggerIndex } from '../rules/index.ts'
import * as store from '../store/index.ts'

/** A lost listening connection is noticed by then at the latest (the revision is compared). */
const MAX_AGE_MS = 5000
const TIMEOUT_MS = 1500
/** Rows read before others get their turn: some milliseconds. */
const SLICE = 100

/**
 * All triggers in memory, as new as the last notification: matching makes no query. A change costs what changed; all of
 * them are read only at the start and where changes are no longer recorded that far back.
 */
export function keepIndex(kit: Kit): FreshCopy<TriggerIndex> {
  let held: Held | undefined
  return createFreshCopy({
    database: kit.database,
    clock: kit.clock,
    channel: 'triggers_changed',
    maxAgeMs: MAX_AGE_MS,
    timeoutMs: TIMEOUT_MS,
    revision: store.readRevision,
    async load(db) {
      held = (held && (await update(db, held))) ?? (await readAll(kit, db))
      return held.index
    },
  })
}

/**
 * Runs each second: reads the triggers before the first event needs them, and compares them with the tables before they are
 * too old. A failure is left to the next caller that needs the triggers.
 */
export function keepAtHand(index: FreshCopy<TriggerIndex>): Loop {
  return {
    name: 'keep the triggers at hand',
    role: 'api',
    run: async () => void (await index.get().catch(() => undefined)),
  }
}

interface Held {
  readonly index: TriggerIndex
  readonly shared: store.SharedValues
  readonly revision: number
}

/** In place: who holds the index sees the newer triggers too. Undefined: the changes are not recorded so far back. */
async function update(db: Queryable, { index, shared, revision }: Held): Promise<Held | undefined> {
  for (let cursor = store.allOf(revision); ; ) {
    const changes = await store.readChanges(db, shared, cursor, SLICE)
    if (!changes.complete) return undefined
    for (const id of changes.deleted) index.remove(id)
    for (const trigger of changes.changed) index.put(trigger)
    if (!changes.next) return { index, shared, revision: changes.revision }
    cursor = changes.next
  }
}

/** Page by page; what changes meanwhile is read once more at the end. */
async function readAll(kit: Kit, db: Queryable): Promise<Held> {
  for (;;) {
    const revision = await store.readRevision(db)
    const shared = new store.SharedValues()
    const index = new TriggerIndex((trigger, problem) => {
      kit.log.warn({ triggerId: trigger.id, problem }, 'a trigger cannot be read and matches nothing')
    })
    for (let last: string | undefined; ; ) {
      const page = await store.listPage(db, shared, last, SLICE)
      for (const trigger of page) index.put(trigger)
      last = page.at(-1)?.id
      if (page.length < SLICE) break
    }
    const held = await update(db, { index, shared, revision })
    if (held) return held
  }
}
