import type { Clock } from '#platform/time'
import { overloaded } from './admissions.ts'
import { createWaitingDeliveries } from './waiting.ts'

/** How many deliveries are looked at before the event loop turns again. */
export interface Pace {
  /**
   * Undefined: now. Otherwise resolves when it is this delivery's turn; sources take turns. Rejects with
   * `delivery.overloaded` when its turn does not come in time.
   */
  turn(sourceId: string): Promise<void> | undefined
}

/**
 * One or two milliseconds of work. In a turn, the system gives this process one new connection and looks at its timers
 * once. Measured with two thousand senders at once and no limit: turns took up to 50 s, and new connections waited for
 * minutes. Senders that had got in were cut as too slow before their bodies were read.
 */
const IN_ONE_TURN = 8

export function createPace(clock: Clock): Pace {
  const waiting = createWaitingDeliveries(clock)
  let begun = 0

  function begin(deliveries: number): void {
    if (begun === 0 && deliveries > 0) clock.nextTurn(go)
    begun += deliveries
  }

  function go(): void {
    begun = 0
    while (begun < IN_ONE_TURN && waiting.size > 0) begin(waiting.resume(IN_ONE_TURN - begun))
  }

  async function wait(sourceId: string): Promise<void> {
    if (!(await waiting.wait(sourceId))) throw overloaded()
  }

  return {
    turn(sourceId) {
      if (begun < IN_ONE_TURN && waiting.size === 0) {
        begin(1)
        return undefined
      }
      return wait(sourceId)
    },
  }
}
