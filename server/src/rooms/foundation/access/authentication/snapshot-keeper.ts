import { answeredWithin, type Queryable } from '#platform/database'
import { platformProblem } from '#platform/problems'
import type { Kit } from '#platform/room'
import type { Teams } from '#rooms/foundation/teams'
import { type AccessSnapshot, createSnapshot } from '../rules/snapshot.ts'
import * as store from '../store/snapshot.ts'

/** Used without a look at the database for so long. */
const FRESH_MS = 5000
/** Older than this it is used by nobody, whatever the reason. */
const USABLE_MS = 30_000
/** A database that hangs must not hold requests for longer than this. */
const LOOK_TIMEOUT_MS = 3000
const LOOP_MS = 2000
const CHANNEL = 'access_changed'

/** The current answer to "who may do what", kept fresh. */
export interface SnapshotKeeper {
  /** Throws authorization_unavailable (503) when none younger than 30 s can be had. */
  get(): Promise<AccessSnapshot>
  /** This process changed something: the next `get` must see it. */
  invalidate(): void
  /** Something is missing that may be new: the next `get` looks at the database, if it can. */
  doubt(): void
  /** Called when a change was announced, by this process or another; answers how to stop listening. */
  onChange(listener: () => void): () => void
  watch(signal: AbortSignal): Promise<void>
  close(): void
}

export function createSnapshotKeeper(kit: Kit, teams: Teams): SnapshotKeeper {
  const { clock, database } = kit
  let snapshot: AccessSnapshot | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Counts announced changes; `seen` is how many of them the snapshot is known to hold. */
  let changes = 0
  let seen = 0
  /** The listening connection was made anew: something may have been missed. */
  let doubtful = false
  let looking: Promise<void> | undefined
  let stopListening: (() => void) | undefined
  const listeners = new Set<() => void>()

  const age = (): number => clock.monotonic() - lookedAt
  const isCurrent = (): boolean => age() <= FRESH_MS && seen === changes && !doubtful

  function listen(): void {
    stopListening ??= database.notifications.listen(CHANNEL, (payload) => {
      if (payload === undefined) doubtful = true
      else changes += 1
      look().catch(() => undefined)
      for (const tell of listeners) tell()
    })
  }

  async function lookOnce(): Promise<void> {
    // All three are noted before the first read: what changes during it must be looked at again.
    const startedAt = clock.monotonic()
    const announced = changes
    doubtful = false
    try {
      const { revision } = await store.readRevision(database.kysely)
      if (snapshot?.revision !== revision) snapshot = await load(database.kysely, teams)
      lookedAt = startedAt
      seen = Math.max(seen, announced)
    } catch (error) {
      doubtful = true
      throw error
    }
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  /** A failed look is no answer: neither "yes" nor "no" is kept of it. A change that is known of must be seen. */
  function usable(cause: unknown): AccessSnapshot {
    if (snapshot && seen === changes && age() <= USABLE_MS) return snapshot
    throw platformProblem(
      'authorization_unavailable',
      'Who may do what cannot be known right now, so nothing was done. Send the request again.',
      { cause, headers: { 'retry-after': '2' } },
    )
  }

  return {
    async get() {
      listen()
      if (snapshot && isCurrent()) return snapshot
      try {
        await answeredWithin(clock, look(), LOOK_TIMEOUT_MS)
        // A look that had begun before the change was announced may have missed it.
        if (!isCurrent()) await answeredWithin(clock, look(), LOOK_TIMEOUT_MS)
      } catch (error) {
        return usable(error)
      }
      // Announced again while looking: what is at hand is as old as this call, which is fresh.
      return snapshot && age() <= FRESH_MS ? snapshot : usable(undefined)
    },
    invalidate() {
      changes += 1
    },
    doubt() {
      doubtful = true
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async watch(signal) {
      listen()
      while (!signal.aborted) {
        await look().catch(() => undefined)
        await clock.sleep(LOOP_MS, signal)
      }
    },
    close: () => stopListening?.(),
  }
}

async function load(db: Queryable, teams: Teams): Promise<AccessSnapshot> {
  const data = await store.loadSnapshot(db)
  return createSnapshot({ ...data, scopes: await teams.listScopes(db) })
}
