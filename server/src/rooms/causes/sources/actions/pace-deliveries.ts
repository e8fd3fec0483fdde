import type { Kit } from '#platform/room'
import { createHold, overloaded } from './hold-deliveries.ts'
import { createTurns } from './take-turns.ts'

/** How many deliveries are looked at before the event loop turns again. */
export interface Pace {
  /** Throws the problem with which `turn` would throw now. */
  requireRoom(sourceId: string): void
  /**
   * Undefined: now. Otherwise resolves when it is this delivery's turn; sources take turns. Throws `delivery.overloaded`
   * where too much of the source is waiting, and rejects with it when its turn does not come in time.
   */
  turn(sourceId: string, bytes: number): Promise<void> | undefined
}

/**
 * One or two milliseconds of work. The system gives this process one new connection in a turn, and looks at its timers
 * once: where two thousand senders came at once and all that could be read was looked at in the same turn, turns took
 * up to 50 s, new connections waited for minutes, and those that had got in were cut as too slow before they were read.
 */
const IN_ONE_TURN = 8
/** Together with the wait for the commit less than the 10 s that most providers wait. */
const MAX_WAIT_MS = 2000

interface Waiting {
  /** False when it waits no longer. */
  resume(): boolean
}

export function createPace(kit: Pick<Kit, 'clock'>): Pace {
  const waiting = createTurns<Waiting>()
  const hold = createHold()
  let begun = 0

  function begin(): void {
    begun += 1
    if (begun === 1) kit.clock.nextTurn(go)
  }

  function go(): void {
    begun = 0
    while (begun < IN_ONE_TURN && waiting.size > 0) {
      for (const one of waiting.take(IN_ONE_TURN - begun)) if (one.resume()) begin()
    }
  }

  return {
    requireRoom(sourceId) {
      if (!hold.mayTake(sourceId)) throw overloaded()
    },
    turn(sourceId, bytes) {
      if (begun < IN_ONE_TURN && waiting.size === 0) {
        begin()
        return undefined
      }
      if (!hold.take(sourceId, bytes)) throw overloaded()
      return new Promise((resolve, reject) => {
        let over = false
        const end = (): void => {
          over = true
          hold.giveBack(sourceId, bytes)
        }
        const late = kit.clock.after(MAX_WAIT_MS, () => {
          end()
          reject(overloaded())
        })
        const resume = (): boolean => {
          if (over) return false
          late.cancel()
          end()
          resolve()
          return true
        }
        waiting.add(sourceId, { resume })
      })
    },
  }
}
