import { LRUCache } from 'lru-cache'
import { isUnavailable } from '#platform/database'
import type { Timer } from '#platform/time'
import type { RunInFlight } from '#rooms/execution/runs'
import type { Claims } from '../actions/claim-work.ts'
import { decideRound, PoliciesMovedOn, type RoundOutcome } from '../actions/decide-round.ts'
import type { Means } from '../means.ts'
import type { NewAssignment } from '../rules/assignment.ts'
import { type InboxItem, runOf } from '../rules/inbox.ts'
import { Slots } from '../rules/slots.ts'
import { Inbox } from './inbox.ts'
import { Isolation, type Tried } from './isolation.ts'
import { Policies, PoliciesUnreadable } from './policies.ts'

/** The work that follows once a round is stored. */
export interface Followers {
  /** Builds and sends the message of an attempt that was assigned to a runner. */
  readonly assign: (run: RunInFlight | undefined, assignment: NewAssignment) => void
  readonly observe: (items: readonly InboxItem[], outcome: RoundOutcome) => void
}

const BATCH = 512
/** Above it streams are not read on. */
const MAX_INBOX = 4096
const RETRY_MS = 250
const KNOWN_RUNS = 2000
const ATTEMPTS = 5
const MAX_SEEN_LANES = 64

/**
 * Moves runs: takes everything that has arrived, decides one round, stores it in one transaction, then speaks.
 * Messages that arrive meanwhile wait for the next round: the more there is to do, the less each piece costs.
 */
export class Dispatcher {
  readonly #means: Means
  readonly #followers: Followers
  readonly #inbox: Inbox
  readonly #isolation: Isolation
  readonly #policies: Policies
  readonly #known = new LRUCache<string, RunInFlight>({ max: KNOWN_RUNS })
  #queuedLanes = new Set<string>()
  #waitingLanes = new Set<string>()
  /** Where runs were queued lately. */
  readonly #seenLanes = new Set<string>()
  #dirty = false
  /** The next round waits for nothing. */
  #urgent = false
  #roundEndedAt = Number.NEGATIVE_INFINITY
  /** Runs while the next round waits for more to come. */
  #gathering: Timer | undefined
  #running: Promise<void> | undefined
  #closed = false
  #retry: Timer | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(means: Means, followers: Followers) {
    this.#means = means
    this.#followers = followers
    this.#inbox = new Inbox(means.clock)
    this.#policies = new Policies(means)
    this.#isolation = new Isolation(means, {
      attempt: (items, claims) => this.#attempt(items, claims),
      fail: (runId, items, reason) => this.#fail(runId, items, reason),
      push: (items) => this.push(...items),
    })
  }

  /** Something that moves a run. */
  push(...items: readonly InboxItem[]): void {
    this.#inbox.push(items)
    if (this.#inbox.size > MAX_INBOX) this.#means.sessions.pauseAll('inbox')
    this.#begin()
  }

  /** Runs may be queued, or attempts wait, in these lanes. */
  hint(queued: Iterable<string>, waiting: Iterable<string>): void {
    for (const lane of queued) {
      this.#queuedLanes.add(lane)
      this.#seenLanes.add(lane)
    }
    for (const lane of waiting) this.#waitingLanes.add(lane)
    if (this.#seenLanes.size > MAX_SEEN_LANES) this.#seenLanes.clear()
    this.wake()
  }

  /** Runs were queued: in lanes that were seen before they are found at once, others by their NOTIFY. */
  poke(): void {
    this.hint(this.#seenLanes, [])
  }

  /** A place may have become free, or something may wait. */
  wake(): void {
    this.#urgent = true
    this.#begin()
  }

  #begin(): void {
    this.#dirty = true
    if (this.#closed) return
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#dirty && !this.#retry && !this.#gathering) this.#begin()
    })
  }

  /** Runs `work` between two rounds: nothing is given to a runner meanwhile. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work)
    this.#last = turn.catch(() => undefined)
    return await turn
  }

  /** Works off what has arrived, as far as the database lets it. */
  async close(): Promise<void> {
    this.#closed = true
    this.#retry?.cancel()
    this.#isolation.close()
    this.#gathering?.cancel()
    await this.#running
    if (this.#inbox.size > 0) await this.#run()
  }

  async #run(): Promise<void> {
    while (this.#dirty && !this.#retry && !this.#gathers()) {
      this.#dirty = false
      this.#urgent = false
      const items = this.#inbox.take(BATCH, !this.#closed)
      if (this.#inbox.size > 0) this.#dirty = true
      if (items.length === 0 && !this.#hasWork()) continue
      const done = await this.exclusively(() => this.#round(items))
      this.#roundEndedAt = this.#means.clock.monotonic()
      if (!done) {
        this.#inbox.putBack(items)
        // Runners keep what is not acknowledged and send it again.
        if (this.#closed) return
        this.#waitAndRetry()
      } else if (this.#inbox.size < MAX_INBOX / 2) this.#means.sessions.resumeAll('inbox')
    }
  }

  /** Whether what has come may wait for more; then a timer begins the round, unless something else does before. */
  #gathers(): boolean {
    this.#gathering?.cancel()
    this.#gathering = undefined
    if (this.#urgent || this.#closed) return false
    const inHand = this.#means.sessions.places().reduce((count, { busy }) => count + busy, 0)
    const wait = this.#inbox.patience(inHand, this.#roundEndedAt)
    if (wait === 0) return false
    this.#gathering = this.#means.clock.after(wait, () => this.wake())
    return true
  }

  #hasWork(): boolean {
    if (this.#queuedLanes.size === 0 && this.#waitingLanes.size === 0) return false
    const { sessions } = this.#means
    const slots = new Slots(sessions.places())
    if (slots.free === 0) return false
    const open = (lane: string) => slots.hasFree(sessions.eligible(lane))
    return this.#queuedLanes.values().some(open) || this.#waitingLanes.values().some(open)
  }

  #waitAndRetry(): void {
    this.#dirty = true
    if (this.#closed) return
    this.#retry = this.#means.clock.after(RETRY_MS, () => {
      this.#retry = undefined
      this.wake()
    })
  }

  /** False when the database is away: the same items must be tried again. */
  async #round(items: readonly InboxItem[]): Promise<boolean> {
    const sound = this.#isolation.sift(items)
    const tried = await this.#attempt(sound, { except: this.#isolation.asideIds })
    if (tried.is !== 'refused') return tried.is === 'stored'
    const isolated = await this.#isolation.isolate(sound, tried)
    // The runs behind the faulty run are tried at once, not at the next look.
    if (isolated && tried.claimed.size > 0) this.#dirty = true
    return isolated
  }

  async #attempt(items: readonly InboxItem[], claims: Claims): Promise<Tried> {
    for (let attempt = 1; ; attempt++) {
      const claimed = new Set<string>()
      try {
        await this.#decide(items, claims, claimed)
        return { is: 'stored' }
      } catch (error) {
        if (error instanceof PoliciesMovedOn && attempt < ATTEMPTS) continue
        if (error instanceof PoliciesMovedOn || error instanceof PoliciesUnreadable) return { is: 'away' }
        const moved = movedRuns(error)
        for (const id of moved) this.#known.delete(id)
        if (moved.length > 0 && attempt < ATTEMPTS) continue
        if (moved.length > 0 || isUnavailable(error)) return { is: 'away' }
        for (const id of [...items.map(runOf), ...claimed]) this.#known.delete(id)
        if (hasCode(error, 'runs.attempt_taken') && attempt < ATTEMPTS) continue
        return { is: 'refused', error, claimed }
      }
    }
  }

  /** Ends a run that no round can move, and tells the runners that have something of it. */
  async #fail(runId: string, items: readonly InboxItem[], reason: string): Promise<void> {
    const { database, runs, sessions } = this.#means
    const ended = await database.transaction((tx) => runs.progress.failRun(tx, runId, reason))
    this.#known.delete(runId)
    for (const { runnerId, fence } of ended) sessions.cancel(runnerId, fence, reason)
    for (const item of items) if (item.kind === 'finished') sessions.acknowledge(item.runnerId, item.assignment.fence)
  }

  async #decide(items: readonly InboxItem[], claims: Claims, claimed: Set<string>): Promise<void> {
    const { sessions } = this.#means
    const queued = this.#queuedLanes
    const waiting = this.#waitingLanes
    // A hint that comes while the round looks is kept for the next one.
    this.#queuedLanes = new Set()
    this.#waitingLanes = new Set()
    // A result that was said again on a new stream may be here twice: it frees one place all the same.
    const ending = new Set(items.flatMap((item) => (item.kind === 'finished' ? [item.assignment.fence] : [])))
    const places = sessions.places(ending)
    let outcome: RoundOutcome
    try {
      const policies = await this.#policies.snapshot()
      outcome = await this.#means.database.transaction(async (tx) => {
        const decided = await decideRound(this.#means, tx, {
          items,
          known: this.#known,
          slots: new Slots(places),
          eligible: (lane) => sessions.eligible(lane),
          queuedLanes: [...queued],
          waitingLanes: [...waiting],
          claims,
          claimed,
          leaseMs: this.#means.config.leaseSeconds * 1000,
          policies,
        })
        if (items.length > 0) this.#means.failPoints.hit('progress.before_commit')
        if (decided.assigned.length > 0) this.#means.failPoints.hit('dispatch.before_commit')
        return decided
      })
    } catch (error) {
      for (const lane of queued) this.#queuedLanes.add(lane)
      for (const lane of waiting) this.#waitingLanes.add(lane)
      throw error
    }
    if (items.length > 0) this.#means.failPoints.hit('progress.after_commit')
    if (outcome.assigned.length > 0) this.#means.failPoints.hit('dispatch.after_commit')
    try {
      this.#speak(items, outcome)
    } catch (error) {
      // The round is stored all the same: no run is to blame, and what a runner was not told the sweep finds.
      this.#means.log.error({ err: error }, 'a round of the dispatcher is stored, and not all of it could be told')
    }
  }

  /** Only after the commit: nobody hears of what may yet be undone. */
  #speak(items: readonly InboxItem[], outcome: RoundOutcome): void {
    const { sessions } = this.#means
    const { assign, observe } = this.#followers
    for (const lane of outcome.queuedLanes) this.#queuedLanes.add(lane)
    for (const lane of outcome.waitingLanes) this.#waitingLanes.add(lane)
    for (const assignment of outcome.assigned) {
      sessions.give(assignment)
      assign(outcome.after.get(assignment.runId) ?? this.#known.get(assignment.runId), assignment)
    }
    for (const item of items) {
      if (item.kind === 'finished') sessions.acknowledge(item.runnerId, item.assignment.fence)
    }
    for (const { fence, runner_id, reason } of outcome.saved.canceled) sessions.cancel(runner_id, fence, reason)
    const over = new Set(outcome.saved.finished.map((run) => run.id))
    for (const [id, run] of outcome.after) {
      if (over.has(id)) this.#known.delete(id)
      else this.#known.set(id, run)
    }
    observe(items, outcome)
    if ((items.length > 0 || outcome.assigned.length > 0) && this.#hasWork()) {
      this.#dirty = true
      this.#urgent = true
    }
  }
}

/** By its code, not its class: rooms know each other's types only. */
function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && 'code' in error && error.code === code
}

function movedRuns(error: unknown): readonly string[] {
  if (!hasCode(error, 'runs.moved_on')) return []
  return 'runIds' in error && Array.isArray(error.runIds) ? error.runIds.map(String) : []
}
