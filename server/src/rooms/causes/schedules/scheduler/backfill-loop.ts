import { isUnavailable } from '#platform/database'
import type { Loop } from '#platform/room'
import type { Backfiller } from '../actions/start-backfills.ts'
import type { Means } from '../means.ts'

/** What another process did is noticed by then, also where its notification was lost. */
const EVERY_MS = 1000

/** Wakes when somebody asks for a backfill, and when a run of one changes; any number of processes may run it. */
export function backfillLoop(means: Means, backfiller: Backfiller): Loop {
  return {
    name: 'schedules.backfill',
    role: 'scheduler',
    async run(signal) {
      let waker = new AbortController()
      let awaited: ReadonlySet<string> = new Set()
      const { notifications } = means.database
      const stops = [
        notifications.listen('schedules_changed', () => waker.abort()),
        notifications.listen('run_changed', (id) => {
          if (id === undefined || awaited.has(id)) waker.abort()
        }),
      ]
      while (!signal.aborted) {
        waker = new AbortController()
        try {
          awaited = await backfiller.advance()
        } catch (error) {
          if (isUnavailable(error)) means.log.debug({ err: error }, 'backfills wait for the database')
          else means.log.error({ err: error }, 'backfills could not go on')
        }
        await means.clock.sleep(EVERY_MS, AbortSignal.any([signal, waker.signal]))
      }
      for (const stop of stops) stop()
      await backfiller.settle()
    },
  }
}
