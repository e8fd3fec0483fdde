import type { AttemptsInHand } from './attempts/attempts-in-hand.ts'
import type { Log } from './log.ts'
import type { Stops } from './stop-signals.ts'

interface Leaving {
  readonly drain: () => void
  readonly attempts: AttemptsInHand
  readonly log: Log
}

/** The first stop drains; each further one cancels the attempts in hand. */
export function leaveOnStops(stops: Stops, { drain, attempts, log }: Leaving): void {
  stops.listen((count) => {
    if (count === 1) {
      log.info('draining: nothing new is taken, tasks in hand are finished', { in_hand: attempts.size })
      drain()
    } else {
      log.info('stopping: tasks in hand are canceled', { in_hand: attempts.size })
      attempts.stopAll('canceled', 'The runner was stopped.')
    }
  })
}
