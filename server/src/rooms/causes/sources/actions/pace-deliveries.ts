import type { Kit } from '#platform/room'
import { createHold, overloaded } from './hold-deliveries.ts'
import { createTurns } from './take-turns.ts'

/** How many deliveries are looked at before the event loop turns again. */
export interface Pace {
  /** Throws the problem with which `turn` would throw now. */
  requireRoom(sourceId: string): void
  /**
   * Undefined: now. Otherwise resolves when it is this delivery's turn; sources take turns. Throws `delivery.overloaded`
   * where too much of the source is waiting.
   */
  turn(sourceId: string, bytes: number): Promise<void> | undefined
}

/**
 * One or two milliseconds of work. The system gives this process one new connection in a turn, and looks at its timers
 * once: where two thousand senders came at once and all that could be read was looked at in the same turn, turns took
 * up to 50 s, new connections waited for minutes, and those that had got in were cut as too slow before they were read.
 */
const IN_ONE_TURN = 8

export function createPace(kit: Pick<Kit, 'clock'>): Pace {
  const waiting = createTurns<() => void>()
  const hold = createHold()
  let begun = 0

  function begin(): void {
    begun += 1
    if (begun === 1) kit.clock.nextTurn(go)
  }

  function go(): void {
    begun = 0
    for (const resume of waiting.take(IN_ONE_TURN)) {
      begin()
      resume()
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
      return new Promise((resolve) => {
        waiting.add(sourceId, () => {
          hold.giveBack(sourceId, bytes)
          resolve()
        })
      })
    },
  }
}
