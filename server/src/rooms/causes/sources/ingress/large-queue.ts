import type { Clock } from '#platform/time'
import { overloaded } from './admissions.ts'
import { createWaitingDeliveries } from './waiting.ts'

/** Large deliveries are verified one after the other: each is up to half a second of work, and twice its size in memory. */
export interface LargeQueue {
  /**
   * Does the work when it is this delivery's turn; sources take turns. Rejects with `delivery.overloaded` where its turn
   * does not come in time.
   */
  run<T>(sourceId: string, work: () => T | Promise<T>): Promise<T>
}

export function createLargeQueue(clock: Clock): LargeQueue {
  const waiting = createWaitingDeliveries(clock)
  let busy = false

  async function turn(sourceId: string): Promise<void> {
    const free = !busy
    busy = true
    if (!free && !(await waiting.wait(sourceId))) throw overloaded()
  }

  /** Stays busy where another goes on. */
  function end(): void {
    busy = false
    while (!busy && waiting.size > 0) busy = waiting.resume(1) > 0
  }

  return {
    async run(sourceId, work) {
      await turn(sourceId)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}
