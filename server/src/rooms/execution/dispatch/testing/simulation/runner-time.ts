import type { Time } from '../../../../../../../runner/src/time/index.ts'
import type { Machine } from './agenda.ts'
import type { Surroundings } from './surroundings.ts'

/** The time of the simulation as the runner's own code asks for it; it stands still while the machine does. */
export function timeOf({ agenda, random }: Surroundings, machine: Machine): Time {
  return {
    now: () => agenda.now,
    monotonic: () => agenda.now,
    random: () => random.next(),
    after(ms, action) {
      let stopped = false
      machine.after(ms, () => {
        if (!stopped) action()
      })
      return { stop: () => (stopped = true) }
    },
  }
}
