import type { Loop } from '#platform/room'
import type { Means } from '../means.ts'
import { concernsAll } from './keep-fires.ts'
import type { Scheduler } from './scheduler.ts'

/** A schedule that another process wrote is noticed by then, also where its notification was lost. */
const EVERY_MS = 1000
/** A repository that hangs must not keep a process from ending: what is not stored yet stays due. */
const END_MS = 2000

/** Wakes at the next due instant; any number of processes may run it. */
export function fireLoop(means: Means, scheduler: Scheduler): Loop {
  const { clock, database, log } = means
  return {
    name: 'schedules.fire',
    role: 'scheduler',
    async run(signal) {
      let waker = new AbortController()
      const wake = (): void => waker.abort()
      const stop = database.notifications.listen('schedules_changed', wake)
      scheduler.onRoom(wake)
      while (!signal.aborted) {
        waker = new AbortController()
        const pause = await look().catch(pauseAfter)
        if (pause > 0) await clock.sleep(pause, AbortSignal.any([signal, waker.signal]))
      }
      stop()
      await Promise.race([scheduler.settle(), clock.sleep(END_MS)])
    },
  }

  /** Answers how long nothing is to be done. */
  async function look(): Promise<number> {
    const pause = await untilDue()
    if (pause > 0) return pause
    const { more } = await scheduler.fire()
    // What is due still waits for somebody else: for a repository, or another scheduler.
    return more ? 0 : (await untilDue()) || EVERY_MS
  }

  async function untilDue(): Promise<number> {
    const next = await scheduler.nextDue()
    const left = next ? next.getTime() - clock.now().getTime() : EVERY_MS
    return Math.max(0, Math.min(left, EVERY_MS))
  }

  function pauseAfter(error: unknown): number {
    if (concernsAll(error)) log.debug({ err: error }, 'schedules wait for the database')
    else log.error({ err: error }, 'schedules could not be fired')
    return EVERY_MS
  }
}
