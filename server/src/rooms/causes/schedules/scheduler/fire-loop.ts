import { isUnavailable } from '#platform/database'
import type { Loop } from '#platform/room'
import type { Means } from '../means.ts'
import type { Scheduler } from './scheduler.ts'

/** A schedule that another process wrote is noticed by then, also where its notification was lost. */
const EVERY_MS = 1000

/** Wakes at the next due instant; any number of processes may run it. */
export function fireLoop(means: Means, scheduler: Scheduler): Loop {
  return {
    name: 'schedules.fire',
    role: 'scheduler',
    async run(signal) {
      let waker = new AbortController()
      const stop = means.database.notifications.listen('schedules_changed', () => waker.abort())
      while (!signal.aborted) {
        waker = new AbortController()
        let pause = EVERY_MS
        try {
          const { more } = await scheduler.fire()
          pause = more ? 0 : await untilDue()
        } catch (error) {
          if (isUnavailable(error)) means.log.debug({ err: error }, 'schedules wait for the database')
          else means.log.error({ err: error }, 'schedules could not be fired')
        }
        if (pause > 0) await means.clock.sleep(pause, AbortSignal.any([signal, waker.signal]))
      }
      stop()
      await scheduler.settle()
    },
  }

  /** What is due already waits for somebody else: for a repository, or another scheduler. */
  async function untilDue(): Promise<number> {
    const next = await scheduler.nextDue()
    const left = next ? next.getTime() - means.clock.now().getTime() : EVERY_MS
    return left <= 0 ? EVERY_MS : Math.min(left, EVERY_MS)
  }
}
