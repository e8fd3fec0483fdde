import type { AttemptsInHand } from '../attempts/attempts-in-hand.ts'
import type { Log } from '../log.ts'
import type { Time } from '../time/index.ts'
import type { LeaseClock } from './lease-clock.ts'

export type OfflineWatchNeeds = {
  time: Time
  log: Log
  leases: LeaseClock
  attempts: Pick<AttemptsInHand, 'stop'>
  connected: () => boolean
  /** How long a task goes on after its lease, while the control plane cannot be asked. */
  graceMs: number
}

const intervalMs = 1000

/**
 * While the control plane can be reached it decides what is lost. While it cannot, a task whose lease is over goes on
 * for the grace, because a control plane that only restarts grants every lease anew; then the task is stopped.
 */
export const watchOffline = (needs: OfflineWatchNeeds): Disposable => {
  const { time, log, leases, attempts, connected, graceMs } = needs
  const warned = new Set<bigint>()
  const look = () => {
    timer = time.after(intervalMs, look)
    if (connected()) {
      warned.clear()
      return
    }
    const now = time.monotonic()
    for (const fence of leases.expired(now)) {
      if (!warned.has(fence)) log.warn('a lease has run out and the control plane cannot be reached', { fence })
      warned.add(fence)
    }
    for (const fence of leases.expired(now, graceMs)) {
      attempts.stop(fence, {
        why: 'failed',
        reason: `The runner could not reach the control plane for ${Math.round((leases.leaseMs + graceMs) / 1000)} s.`,
      })
    }
  }
  let timer = time.after(intervalMs, look)
  return { [Symbol.dispose]: () => timer.stop() }
}
