import type pg from 'pg'
import { isUnavailable } from '#platform/database'
import type { Log } from '#platform/log'
import type { Clock } from '#platform/time'
import { notifyOfDue } from './store.ts'

const EVERY_MS = 1000

/**
 * Wakes workers for jobs whose time has come: one question a second for the whole process, where each worker would ask
 * for itself. Without an answer it asks again a second later.
 */
export function wakeForDueJobs(pool: pg.Pool, log: Log, clock: Clock): { close(): Promise<void> } {
  const closing = new AbortController()
  const loop = (async () => {
    while (!closing.signal.aborted) {
      await notifyOfDue(pool).catch((error: Error) => {
        if (!isUnavailable(error)) log.warn({ err: error.message }, 'looking for due jobs failed')
      })
      await clock.sleep(EVERY_MS, closing.signal)
    }
  })()
  return {
    async close() {
      closing.abort()
      await loop
    },
  }
}
