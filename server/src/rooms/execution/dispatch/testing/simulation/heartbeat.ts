import type { Machine } from './agenda.ts'
import { LEASE_MS } from './lease-time.ts'
import type { Session } from './sessions.ts'
import type { StoredAttempt } from './store.ts'
import type { Surroundings } from './surroundings.ts'

interface Heartbeat {
  readonly sequence: number
  readonly fences: readonly number[]
  readonly cancel: (attempt: StoredAttempt) => void
}

/** Renews the leases of what it names, and says what is lost; while the tables are away nothing is. */
export function answerHeartbeat(
  { store, random, agenda }: Surroundings,
  machine: Machine,
  session: Session,
  { sequence, fences, cancel }: Heartbeat,
): void {
  const wanted = fences.filter((fence) => session.assignments.get(fence)?.done === false)
  const renew = () => {
    if (store.away) {
      session.stream.sendToRunner({ type: 'heartbeat_ack', sequence, lost: [] })
      return
    }
    if (wanted.some((fence) => store.isLocked(session.assignments.get(fence)?.attempt.id ?? ''))) {
      machine.after(5, renew)
      return
    }
    const renewed = store.renew(session.runnerId, wanted, agenda.now + LEASE_MS)
    for (const attempt of renewed) if (attempt.cancelReason !== null) cancel(attempt)
    const kept = new Set(renewed.map(({ fence }) => fence))
    const lost = wanted.filter((fence) => {
      const assignment = session.assignments.get(fence)
      return !kept.has(fence) && assignment !== undefined && !assignment.done && !assignment.reported
    })
    for (const fence of lost) session.assignments.delete(fence)
    if (store.rules.forgottenPlacesAreFreed) dropForgotten(session, fences)
    session.stream.sendToRunner({ type: 'heartbeat_ack', sequence, lost })
  }
  machine.after(random.between(0, 10), renew)
}

/** A runner no longer names attempts that it gave up at the end of their lease; once the lease is lost, the slot is free. */
function dropForgotten(session: Session, named: readonly number[]): void {
  for (const { fence, attempt, done, reported } of session.assignments.values()) {
    if (done || reported || named.includes(fence)) continue
    if (attempt.status !== 'leased') session.assignments.delete(fence)
  }
}
