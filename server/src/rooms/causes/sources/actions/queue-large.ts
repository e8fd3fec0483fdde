import type { Kit } from '#platform/room'
import { createHold, overloaded } from './hold-deliveries.ts'
import { createWaitingDeliveries } from './wait-in-turn.ts'

/** Large deliveries are examined one after the other: each is up to half a second of work, and twice its size in memory. */
export interface LargeQueue {
  /**
   * Does the work when it is this delivery's turn; sources take turns. Rejects with `delivery.overloaded` where too much
   * of the source is waiting, and where its turn does not come in time.
   */
  run<T>(sourceId: string, bytes: number, work: () => T | Promise<T>): Promise<T>
}

export function createLargeQueue(kit: Pick<Kit, 'clock'>): LargeQueue {
  const waiting = createWaitingDeliveries(kit)
  const hold = createHold()
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
    async run(sourceId, bytes, work) {
      if (!hold.take(sourceId, bytes)) throw overloaded()
      try {
        await turn(sourceId)
        try {
          return await work()
        } finally {
          end()
        }
      } finally {
        hold.giveBack(sourceId, bytes)
      }
    },
  }
}
