import type { Clock } from '#platform/time'
import { createTurns } from './turns.ts'

/** Deliveries that wait for their turn, no longer than there is time for. Sources take turns. */
export interface WaitingDeliveries {
  /** The number of waiting items, including late ones that were not met yet. */
  readonly size: number
  /** False: its turn did not come in time. */
  wait(sourceId: string): Promise<boolean>
  /** Looks at so many at most, and lets those go on that are not too late. Answers how many did. */
  resume(most: number): number
}

/** Together with the work and the wait for the commit less than the 10 s that most providers wait. */
const MAX_WAIT_MS = 2000

export function createWaitingDeliveries(clock: Clock): WaitingDeliveries {
  /** Each answers whether it goes on. */
  const waiting = createTurns<() => boolean>()
  return {
    get size() {
      return waiting.size
    },
    wait: (sourceId) =>
      new Promise((resolve) => {
        let over = false
        const late = clock.after(MAX_WAIT_MS, () => {
          over = true
          resolve(false)
        })
        waiting.add(sourceId, () => {
          if (over) return false
          late.cancel()
          resolve(true)
          return true
        })
      }),
    resume: (most) => waiting.take(most).filter((goesOn) => goesOn()).length,
  }
}
