import type { Means } from '../means.ts'
import * as store from '../store.ts'

const PERIOD_MS = 60_000
const MAX_REMEMBERED = 10_000

/**
 * Notes that versions of secrets were used, at most once a minute each; costs a look into a map otherwise. The first use
 * after a newer version was stored is noted at once: whether the older one may be retired depends on it.
 */
export interface UseMarker {
  mark(secretId: string, version: number, superseded?: boolean): void
  /** Resolves when what was marked is written. */
  settle(): Promise<void>
}

export function createUseMarker(means: Means): UseMarker {
  const lastMarked = new Map<string, number>()
  const writing = new Set<Promise<void>>()
  return {
    mark(secretId, version, superseded = false) {
      const key = `${secretId} ${version} ${superseded}`
      const now = means.clock.monotonic()
      const last = lastMarked.get(key)
      if (last !== undefined && now - last < PERIOD_MS) return
      if (lastMarked.size >= MAX_REMEMBERED) lastMarked.clear()
      lastMarked.set(key, now)
      const at = means.clock.now()
      const write = store
        .touchVersion(means.database.kysely, { secretId, version }, at, new Date(at.getTime() - PERIOD_MS))
        .catch((error: Error) => means.log.debug({ err: error.message }, 'the last use of a secret was not noted'))
        .finally(() => void writing.delete(write))
      writing.add(write)
    },
    settle: async () => void (await Promise.all(writing)),
  }
}
