import type { Clock } from '#platform/time'
import { answeredWithin } from './answered-within.ts'
import type { Database } from './database.ts'
import type { Queryable } from './queryable.ts'

/** A copy in memory of what some tables say, for paths that must not ask the database each time. */
export interface FreshCopy<T> {
  /**
   * The copy, never older than the last change that this process made or was told of before the call, nor than `maxAgeMs`.
   * While the listener has no connection, the copy is no older than the call. Throws what the database answered, or
   * CopyStale, when the database cannot say in time whether the copy is still true.
   */
  get(): Promise<T>
  /** Like `get`, but the copy is no older than the call. */
  getNew(): Promise<T>
  /** Like `get`, when that needs no waiting; undefined otherwise. */
  now(): T | undefined
  /** Call it after a commit of this process that changes the tables: the next `get` sees the change. */
  invalidate(): void
  close(): void
}

export interface FreshCopyOptions<T> {
  readonly database: Database
  readonly clock: Clock
  /** NOTIFY channel on which changes are told. */
  readonly channel: string
  readonly maxAgeMs: number
  /** While the database cannot say whether the copy is true, it is given up to this age, unless a change is known. */
  readonly outageMaxAgeMs?: number
  /** How long `get` waits for the database. */
  readonly timeoutMs: number
  /** A number that every change raises; cheap to ask. */
  readonly revision: (db: Queryable) => Promise<number>
  readonly load: (db: Queryable) => Promise<T>
}

/**
 * A notification (or a reconnection of the listener, which may have missed some) makes the next `get` look at the tables.
 * While the listener has no connection, each `get` compares the revision. Because a connection can die unnoticed, a copy
 * older than `maxAgeMs` is compared, too. A copy in use is compared at half that age, so that no caller waits for it.
 */
export function createFreshCopy<T>(options: FreshCopyOptions<T>): FreshCopy<T> {
  const { database, clock, channel, maxAgeMs, outageMaxAgeMs, timeoutMs } = options
  const { notifications } = database
  let held: { value: T; revision: number; lookedAt: number; look: number } | undefined
  /** Looks at the tables that were begun. */
  let looks = 0
  // `looks` when the last change became known, and when the listener may last have missed one. Only a later look saw them.
  let changed = 0
  let missed = 0
  let refreshing: Promise<void> | undefined

  const end = notifications.listen(channel, (payload) => {
    if (payload === undefined) missed = looks
    else changed = looks
    if (held) refreshSoon()
  })

  function isYoung(ageMs: number): boolean {
    return held !== undefined && held.look > changed && clock.monotonic() - held.lookedAt <= ageMs
  }

  function isCurrent(ageMs: number): boolean {
    return held !== undefined && held.look > missed && isYoung(ageMs) && notifications.hears(channel)
  }

  async function refreshOnce(): Promise<void> {
    looks += 1
    const look = looks
    const lookedAt = clock.monotonic()
    // Read before the rows: they are at least as new as it.
    const revision = await options.revision(database.kysely)
    if (held && held.revision === revision) held = { ...held, lookedAt, look }
    else held = { value: await options.load(database.kysely), revision, lookedAt, look }
  }

  function refresh(): Promise<void> {
    refreshing ??= refreshOnce().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  function refreshSoon(): void {
    refresh().catch(() => undefined)
  }

  async function lookUntil(isEnough: (look: number) => boolean): Promise<T> {
    for (;;) {
      if (held && isEnough(held.look)) return held.value
      await refresh()
    }
  }

  async function take(isEnough: (look: number) => boolean): Promise<T> {
    try {
      return await answeredWithin(clock, lookUntil(isEnough), timeoutMs)
    } catch (error) {
      if (held && outageMaxAgeMs !== undefined && isYoung(outageMaxAgeMs)) return held.value
      throw error
    }
  }

  function now(): T | undefined {
    if (!isCurrent(maxAgeMs)) return undefined
    if (!isCurrent(maxAgeMs / 2)) refreshSoon()
    return held?.value
  }

  return {
    now,
    async get() {
      const before = looks
      return now() ?? take((look) => look > before || isCurrent(maxAgeMs))
    },
    async getNew() {
      const before = looks
      return take((look) => look > before)
    },
    invalidate() {
      changed = looks
    },
    close: end,
  }
}
