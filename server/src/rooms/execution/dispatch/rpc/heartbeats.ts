import type { Heartbeat } from '@signalbox/contracts/runner'
import { isUnavailable, type Queryable } from '#platform/database'
import type { StreamMeans } from '../means.ts'
import type { RunnerSession } from '../sessions/runner-session.ts'

/**
 * The heartbeats of one stream. One renewal is under way at a time; the newest heartbeat that arrived meanwhile is next. A
 * hanging database therefore has one query of each runner, and no other message of the stream waits. While the database is
 * away, heartbeats are answered without it. With one process no two runners get one attempt. If one of several processes is
 * cut off from the database, a second runner may get the attempt; the first result is then refused. Only tasks that declare
 * a retry or are idempotent are tried again. A shorter patience would cost every task its attempt whenever the database
 * pauses.
 */
export class Heartbeats {
  readonly #means: StreamMeans
  readonly #session: RunnerSession
  readonly #patienceMs: number
  #next: Heartbeat | undefined
  #busy = false
  /** The renewal that is under way has taken too long: heartbeats are answered without it. */
  #late = false
  /** Of a runner that drains: all that it is given has been sent. */
  #settled = false

  constructor(means: StreamMeans, session: RunnerSession) {
    this.#means = means
    this.#session = session
    // The runner hears in good time before it kills what may be tried again, also where a lease is but two heartbeats.
    const { heartbeatSeconds, leaseSeconds } = means.config
    this.#patienceMs = Math.min(heartbeatSeconds, leaseSeconds / 4) * 1000
  }

  /** Never throws. */
  beat(heartbeat: Heartbeat): void {
    this.#next = heartbeat
    if (this.#late) this.#goOn(heartbeat)
    else if (!this.#busy) void this.#run()
  }

  async #run(): Promise<void> {
    this.#busy = true
    while (this.#next && !this.#session.ended) {
      const heartbeat = this.#next
      this.#next = undefined
      await this.#renewInTime(heartbeat)
    }
    this.#busy = false
  }

  async #renewInTime(heartbeat: Heartbeat): Promise<void> {
    const patience = this.#means.clock.after(this.#patienceMs, () => {
      this.#late = true
      this.#goOn(this.#next ?? heartbeat)
    })
    try {
      await this.#renew(heartbeat)
    } catch (error) {
      if (isUnavailable(error)) this.#goOn(heartbeat)
      else this.#means.log.error({ err: error, runnerId: this.#session.runner.id }, 'a heartbeat failed')
    } finally {
      patience.cancel()
      this.#late = false
    }
  }

  /** While the database is away nobody can take a lease: the runner goes on, and every lease gets its time anew after. */
  #goOn({ sequence, fences }: Heartbeat): void {
    // A draining runner with nothing in hand would leave after this answer, before its last assignment. Waiting costs
    // it nothing.
    if (this.#session.draining && !this.#settled && fences.length === 0) return
    this.#means.unrenewed(this.#session.runner.id)
    this.#session.send({ case: 'heartbeatAck', value: { sequence, lost: [] } })
  }

  /**
   * Renews the leases of what it names, and says what is lost; also after the heartbeat was answered without that. A lease
   * that the database was late to renew is renewed again at once: such a runner has spoken meanwhile.
   */
  async #renew(heartbeat: Heartbeat): Promise<void> {
    const { runners, runs, sessions, dispatcher, processId } = this.#means
    const session = this.#session
    const db = this.#means.database.kysely
    const fences = heartbeat.fences.map(Number)
    await runners.heartbeat(db, processId, [session.runner.id])
    // After the wait: what is renewed late is renewed for its full time.
    const until = new Date(this.#means.clock.now().getTime() + this.#means.config.leaseSeconds * 1000)
    const wanted = fences.filter((fence) => session.assignments.get(fence)?.done === false)
    const renewed = wanted.length === 0 ? [] : await runs.progress.renewLeases(db, session.runner.id, wanted, until)
    const kept = new Set(renewed.map(({ fence }) => fence))
    for (const { fence, cancelReason } of renewed) {
      if (cancelReason !== null) sessions.cancel(session.runner.id, fence, cancelReason)
    }
    // Attempts that ended on the runner meanwhile are acknowledged, not lost.
    const lost = fences.filter((fence) => !kept.has(fence) && isLost(session, wanted, fence))
    for (const fence of lost) session.assignments.delete(fence)
    if (session.draining) await this.#settle()
    session.send({ case: 'heartbeatAck', value: { sequence: heartbeat.sequence, lost: lost.map(BigInt) } })
    const forgotten = await dropForgotten(this.#means, db, session, fences)
    if (lost.length > 0 || forgotten) dispatcher.wake()
  }

  /**
   * The answer to a heartbeat after Draining says that no assignment follows. The answer therefore waits until the round
   * under way has ended and its assignments are sent.
   */
  async #settle(): Promise<void> {
    if (this.#settled) return
    await this.#means.dispatcher.exclusively(async () => undefined)
    await this.#session.settled()
    this.#settled = true
  }
}

/**
 * A runner does not name attempts that it gave up at the end of their lease, nor attempts that it has not yet heard
 * of. Once the lease of such an attempt is over, its place is free. Answers whether there was one.
 */
async function dropForgotten(
  means: StreamMeans,
  db: Queryable,
  session: RunnerSession,
  named: readonly number[],
): Promise<boolean> {
  const unnamed = [...session.assignments.values()].filter(
    ({ fence, done, reported }) => !done && !reported && !named.includes(fence),
  )
  if (unnamed.length === 0) return false
  const rows = await means.runs.progress.listAssigned(
    db,
    session.runner.id,
    unnamed.map(({ fence }) => fence),
  )
  const leased = new Set(rows.flatMap(({ fence, status: standing }) => (standing === 'leased' ? [fence] : [])))
  const over = unnamed.filter(({ fence }) => !leased.has(fence))
  for (const { fence } of over) session.assignments.delete(fence)
  return over.length > 0
}

/** Asked, not renewed, still in hand here and not reported: another dispatcher ended it. */
function isLost(session: RunnerSession, asked: readonly number[], fence: number): boolean {
  const assignment = session.assignments.get(fence)
  return asked.includes(fence) && assignment !== undefined && !assignment.done && !assignment.reported
}
