import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '#platform/time'

/** The memory of a process: its measures, and the call that collects. */
export interface Memory {
  /** CPU time that the process has used, ms. */
  cpuMs(): number
  /** Bytes that V8 holds, garbage and empty pages included. */
  heapBytes(): number
  /** Collects everything and hands empty pages back to the system; the process stands still for some 50-100 ms. */
  collect(): void
}

/** A delivery that comes sooner after a collection finds its compiled code gone: the next ten thousand cost twice as much. */
const LOOK_MS = 30_000
/** Of one core: a few polls and heartbeats stay below it, a delivery each second does not. */
const QUIET_SHARE = 0.03
/** Less is not worth a pause. */
const WORTH_BYTES = 32 * 1024 * 1024

/**
 * V8 collects when something is allocated. An idle process, after its start or after a burst, would keep the memory of
 * its busiest time for ever (twice what it needs). So a quiet process collects once, and again only after its heap has
 * grown. Stops with the timer that it answers.
 */
export function giveBackWhenQuiet(clock: Clock, memory: Memory): { cancel(): void } {
  let cpuMs = memory.cpuMs()
  let floor = 0
  const look = (): void => {
    const used = memory.cpuMs() - cpuMs
    if (used < LOOK_MS * QUIET_SHARE && memory.heapBytes() > floor + WORTH_BYTES) {
      memory.collect()
      floor = memory.heapBytes()
    }
    cpuMs = memory.cpuMs()
    timer = clock.after(LOOK_MS, look)
  }
  let timer = clock.after(LOOK_MS, look)
  return { cancel: () => timer.cancel() }
}

/** The memory of this process. */
export function processMemory(): Memory {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  return {
    cpuMs() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
    heapBytes: () => process.memoryUsage().heapTotal,
    collect() {
      // The flavour that gives the pages themselves back; a plain collection keeps them for later.
      if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    },
  }
}
