import type { Clock } from '#platform/time'
import { answeredWithin, CopyStale } from './answered-within.ts'
import type { Database } from './database.ts'
import type { Queryable } from './queryable.ts'

/** A copy in memory of what some tables say, for paths that must not ask the database each time. */
export interface FreshCopy<T> {
  /**
   * The copy, never older than the last change that this process made or was told of, nor than `maxAgeMs`; while nothing
   * can be told, no older than the call. Throws copy_unavailable's cause when the database cannot say in time whether the
   * copy is still true.
   */
  get(): Promise<T>
  /** As `get`, when that needs no waiting; undefined otherwise. */
  now(): T | undefined
  /** Call it after a commit of this process that changes the tables: the next `get` sees it. */
  invalidate(): void
  close(): void
}

export interface FreshCopyOptions<T> {
  readonly database: Database
  readonly clock: Clock
  /** NOTIFY channel on which changes are told. */
  readonly channel: string
  readonly maxAgeMs: number
  /** How long `get` waits for the database. */
  readonly timeoutMs: number
  /** A number that every change raises; cheap to ask. */
  readonly revision: (db: Queryable) => Promise<number>
  readonly load: (db: Queryable) => Promise<T>
}

/**
 * A notification (or a reconnection of the listener, which may have missed some) makes the next `get` load anew. While
 * the listener has no connection, each `get` compares the revision. Because a connection can die unnoticed, a copy older
 * than `maxAgeMs` is believed only after that, too. In use it is compared in good time, so that no caller waits for it.
 */
export function createFreshCopy<T>(options: FreshCopyOptions<T>): FreshCopy<T> {
  const { database, clock } = options
  const { notifications } = database
  let held: { value: T; revision: number; checkedAt: number; look: number } | undefined
  /** Looks at the tables that were begun. */
  let looks = 0
  // Raised by each hint of a change; a load that began before the last hint is not the newest.
  let changes = 0
  let loadedChanges = -1
  let refreshing: Promise<void> | undefined

  const end = notifications.listen(options.channel, () => {
    changes += 1
    if (held) void refresh().catch(() => undefined)
  })

  function usable(maxAgeMs: number): boolean {
    return held !== undefined && loadedChanges === changes && clock.monotonic() - held.checkedAt < maxAgeMs
  }

  const isTold = (): boolean => notifications.hears(options.channel)

  async function refreshOnce(): Promise<void> {
    looks += 1
    const look = looks
    const seen = changes
    const checkedAt = clock.monotonic()
    // Read before the rows: they are at least as new as it.
    const revision = await options.revision(database.kysely)
    if (held && held.revision === revision) held = { ...held, checkedAt, look }
    else held = { value: await options.load(database.kysely), revision, checkedAt, look }
    loadedChanges = seen
  }

  function refresh(): Promise<void> {
    refreshing ??= refreshOnce().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  return {
    now() {
      if (!held || !isTold() || !usable(options.maxAgeMs)) return undefined
      if (!usable(options.maxAgeMs / 2)) void refresh().catch(() => undefined)
      return held.value
    },
    async get() {
      const deadline = clock.monotonic() + options.timeoutMs
      const before = looks
      for (;;) {
        if (held && usable(options.maxAgeMs) && (held.look > before || isTold())) return held.value
        const left = deadline - clock.monotonic()
        if (left <= 0) throw new CopyStale(`The database did not answer in ${options.timeoutMs} ms`)
        await answeredWithin(clock, refresh(), left)
      }
    },
    invalidate() {
      changes += 1
    },
    close: end,
  }
}
