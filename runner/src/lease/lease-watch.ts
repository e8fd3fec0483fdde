import type { AttemptsInHand } from '../attempts/attempts-in-hand.ts'
import type { Log } from '../log.ts'
import type { Time } from '../time/index.ts'
import type { LeaseClock } from './lease-clock.ts'

export interface LeaseWatchNeeds {
  time: Time
  log: Log
  leases: LeaseClock
  attempts: Pick<AttemptsInHand, 'stop' | 'endWithLease'>
  connected: () => boolean
  /** How long a task goes on after its lease, while the control plane cannot be asked. */
  graceMs: number
}

const INTERVAL_MS = 200
// A tenth of the lease before its end: for the turn of this watch, and for the kill itself.
const STRICT_SHARE = 0.9

/**
 * While the control plane can be reached, it decides which attempts are lost. A task that the control plane may give
 * out again is always killed before its lease ends, so that nothing runs twice at once. Any other task goes on for the
 * grace while the control plane is away, and is stopped then. A control plane that only restarts grants every lease
 * anew.
 */
export function watchLeases(needs: LeaseWatchNeeds): Disposable {
  const { time, log, leases, attempts, connected, graceMs } = needs
  const warned = new Set<bigint>()
  const look = () => {
    timer = time.after(INTERVAL_MS, look)
    const now = time.monotonic()
    for (const fence of leases.expired(now, leases.leaseMs * (STRICT_SHARE - 1))) {
      if (attempts.endWithLease(fence))
        log.warn('a lease has run out: the task is killed, it may be tried again', { fence })
    }
    if (connected()) {
      warned.clear()
      return
    }
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
  let timer = time.after(INTERVAL_MS, look)
  return { [Symbol.dispose]: () => timer.stop() }
}
