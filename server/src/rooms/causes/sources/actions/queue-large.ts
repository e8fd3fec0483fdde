import type { Kit } from '#platform/room'
import { createHold, overloaded } from './hold-deliveries.ts'
import { createTurns } from './take-turns.ts'

/** Large deliveries are examined one after the other: each is up to half a second of work, and twice its size in memory. */
export interface LargeQueue {
  /**
   * Does the work when it is this delivery's turn; sources take turns. Rejects with `delivery.overloaded` where too much
   * of the source is waiting, and where its turn does not come in time.
   */
  run<T>(sourceId: string, bytes: number, work: () => T | Promise<T>): Promise<T>
}

/** Together with the work itself and the wait for the commit less than the 10 s that most providers wait. */
const MAX_WAIT_MS = 2000

export function createLargeQueue(kit: Pick<Kit, 'clock'>): LargeQueue {
  const waiting = createTurns<() => void>()
  const hold = createHold()
  let busy = false

  function next(): void {
    busy = false
    for (const begin of waiting.take(1)) begin()
  }

  /** False: too late. */
  function turn(sourceId: string): Promise<boolean> {
    if (!busy) {
      busy = true
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      let over = false
      const late = kit.clock.after(MAX_WAIT_MS, () => {
        over = true
        resolve(false)
      })
      waiting.add(sourceId, () => {
        if (over) return next()
        late.cancel()
        busy = true
        resolve(true)
      })
    })
  }

  return {
    async run(sourceId, bytes, work) {
      if (!hold.take(sourceId, bytes)) throw overloaded()
      try {
        if (!(await turn(sourceId))) throw overloaded()
        try {
          return await work()
        } finally {
          next()
        }
      } finally {
        hold.giveBack(sourceId, bytes)
      }
    },
  }
}
