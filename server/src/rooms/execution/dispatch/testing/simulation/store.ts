import type { Graph } from '@signalbox/pipeline/graph'
import { type Effect, isTerminalRun, type RunState, type Transition } from '@signalbox/pipeline/status'
import type { AttemptReport } from '#rooms/execution/runs'
import type { HandedBack } from '../../rules/wish.ts'
import { Transaction } from './transaction.ts'

export interface StoredRun {
  readonly id: string
  readonly graph: Graph
  revision: number
  state: RunState | undefined
  cancelRequested: boolean
  deadlineAt: number | null
  /** The effects of the run's state that only time or people bring about, by their kind. */
  readonly due: Map<string, { readonly at: number; readonly kind: 'retry' | 'step'; readonly key: TaskKey }>
}

export interface TaskKey {
  readonly step: string
  readonly task: string
  readonly number: number
}

export interface StoredAttempt extends TaskKey {
  readonly id: string
  readonly runId: string
  status: 'waiting' | 'leased' | 'success' | 'failure' | 'timed_out' | 'canceled' | 'lost'
  fence: number | null
  runnerId: string | null
  leaseExpiresAt: number
  startedAt: number | null
  cancelReason: string | null
  /** Of the attempt before. */
  readonly handedBack: HandedBack | null
}

export interface Round {
  readonly runs: readonly { readonly before: Snapshot; readonly transition: Transition }[]
  readonly inserts: readonly (TaskKey & {
    readonly id: string
    readonly runId: string
    readonly runnerId: string | null
    readonly handedBack: HandedBack | null
  })[]
  readonly leases: readonly { readonly id: string; readonly runnerId: string }[]
  readonly reports: readonly AttemptReport[]
  readonly cancels: readonly (TaskKey & { readonly runId: string; readonly reason: string })[]
  readonly leaseExpiresAt: number
}

export type Snapshot = Pick<StoredRun, 'id' | 'graph' | 'revision' | 'state'>

/** The rules that tests break on purpose, to show that the checks see it. */
export interface Rules {
  /** A result counts only while its attempt is leased. */
  readonly resultNeedsLease: boolean
  /** A round is stored only if the states from which it was computed are unchanged. */
  readonly revisionIsCompared: boolean
  /** Lines are acknowledged after they are stored. */
  readonly linesAreStoredFirst: boolean
  /** A lease is lost only when it is over. */
  readonly leaseIsAwaited: boolean
  /** A fence whose lease has ended is refused: the runner's word about it counts for nothing. */
  readonly fencesAreCompared: boolean
  /** A place is free again once the lease of what its runner gave up is lost. */
  readonly forgottenPlacesAreFreed: boolean
  /** An event that a process's copy of a run ignores is applied to the stored run. */
  readonly staleStatesAreReloaded: boolean
  /** An attempt of which lines are stored is not given out again. */
  readonly storedLinesMeanBegun: boolean
}

export const goodRules: Rules = {
  resultNeedsLease: true,
  revisionIsCompared: true,
  linesAreStoredFirst: true,
  leaseIsAwaited: true,
  fencesAreCompared: true,
  forgottenPlacesAreFreed: true,
  staleStatesAreReloaded: true,
  storedLinesMeanBegun: true,
}

/** Told of everything that becomes durable. */
export interface Witness {
  runMoved(before: StoredRun, after: RunState): void
  attemptMoved(attempt: StoredAttempt, to: StoredAttempt['status'], fence: number | null): void
  attemptMade(attempt: StoredAttempt, attempts: Iterable<StoredAttempt>): void
}

/** The tables, and transactions with row locks over them: what another one has in hand is passed over or refused. */
export class Store {
  readonly runs = new Map<string, StoredRun>()
  readonly attempts = new Map<string, StoredAttempt>()
  readonly lines = new Map<string, string[]>()
  /** By `<run>/<step>`: null while people think. */
  readonly approvals = new Map<string, 'approved' | 'rejected' | 'late' | null>()
  away = false
  readonly rules: Rules
  readonly #witness: Witness
  readonly #locks = new Map<string, Transaction>()
  #fence = 0

  constructor(rules: Rules, witness: Witness) {
    this.rules = rules
    this.#witness = witness
  }

  begin(): Transaction {
    return new Transaction(this.#locks)
  }

  isLocked(id: string): boolean {
    return this.#locks.has(id)
  }

  load(id: string): Snapshot | undefined {
    const run = this.runs.get(id)
    return run && { id, graph: run.graph, revision: run.revision, state: run.state }
  }

  claimQueued(transaction: Transaction, limit: number): Snapshot[] {
    const claimed: Snapshot[] = []
    for (const run of this.runs.values()) {
      if (run.state !== undefined || run.cancelRequested || claimed.length === limit) continue
      if (transaction.lock(run.id))
        claimed.push({ id: run.id, graph: run.graph, revision: run.revision, state: undefined })
    }
    return claimed
  }

  claimWaiting(transaction: Transaction, limit: number): StoredAttempt[] {
    const claimed: StoredAttempt[] = []
    for (const attempt of this.attempts.values()) {
      if (attempt.status === 'waiting' && claimed.length < limit && transaction.lock(attempt.id)) claimed.push(attempt)
    }
    return claimed
  }

  lockExpired(transaction: Transaction, ids: readonly string[], now: number): Set<string> {
    const expired = ids.filter((id) => {
      const attempt = this.attempts.get(id)
      const over = attempt?.status === 'leased' && (!this.rules.leaseIsAwaited || attempt.leaseExpiresAt <= now)
      return over && transaction.lock(id)
    })
    return new Set(expired)
  }

  /**
   * Puts a round into the transaction. Answers what it gave out and whom it cancels; undefined when somebody else has
   * moved, or has in hand, what it was computed from.
   */
  save(transaction: Transaction, round: Round, now: number): Saved | undefined {
    for (const { before } of round.runs) {
      const run = this.runs.get(before.id)
      const moved = this.rules.revisionIsCompared && run?.revision !== before.revision
      if (run === undefined || moved || !transaction.lock(before.id)) return undefined
    }
    const touched = [...round.reports, ...round.leases]
    if (!touched.every(({ id }) => transaction.lock(id))) return undefined
    // One statement: no order within it can be seen from outside.
    for (const report of round.reports) transaction.write(() => this.#report(report))
    const assigned: NewAssignment[] = []
    for (const insert of round.inserts) {
      const { id, runId, runnerId, step, task, number, handedBack } = insert
      const fence = runnerId === null ? null : ++this.#fence
      const lease = { fence, runnerId, leaseExpiresAt: round.leaseExpiresAt, startedAt: null, cancelReason: null }
      const attempt: StoredAttempt = {
        id,
        runId,
        step,
        task,
        number,
        handedBack,
        status: fence === null ? 'waiting' : 'leased',
        ...lease,
      }
      transaction.write(() => {
        this.attempts.set(id, attempt)
        this.#witness.attemptMade(attempt, this.attempts.values())
      })
      if (fence !== null && runnerId !== null) assigned.push({ attempt, fence, runnerId })
    }
    for (const { id, runnerId } of round.leases) {
      const attempt = this.attempts.get(id)
      if (attempt?.status !== 'waiting') continue
      const fence = ++this.#fence
      transaction.write(() => {
        this.#move(attempt, 'leased')
        Object.assign(attempt, { fence, runnerId, leaseExpiresAt: round.leaseExpiresAt })
      })
      assigned.push({ attempt, fence, runnerId })
    }
    const canceled: Canceled[] = []
    for (const cancel of round.cancels) {
      const attempt = this.attempts.values().find((one) => isSame(one, cancel))
      if (attempt === undefined) continue
      if (!transaction.lock(attempt.id)) return undefined
      if (attempt.status === 'leased') canceled.push({ attempt, reason: cancel.reason })
      transaction.write(() => {
        if (attempt.status !== 'waiting' && attempt.status !== 'leased') return
        attempt.cancelReason = cancel.reason
        if (attempt.status === 'waiting') this.#move(attempt, 'canceled')
      })
    }
    for (const { before, transition } of round.runs) transaction.write(() => this.#moveRun(before.id, transition, now))
    return { assigned, canceled }
  }

  renew(runnerId: string, fences: readonly number[], until: number): StoredAttempt[] {
    const renewed = this.#leased().filter(
      ({ fence, runnerId: holder }) => holder === runnerId && fence !== null && fences.includes(fence),
    )
    for (const attempt of renewed) attempt.leaseExpiresAt = until
    return renewed
  }

  renewAll(until: number): void {
    for (const attempt of this.#leased()) attempt.leaseExpiresAt = Math.max(attempt.leaseExpiresAt, until)
  }

  /** Attempts of this runner: those that are leased to it, and those with one of these fences. */
  listAssigned(runnerId: string, fences: readonly number[]): StoredAttempt[] {
    return [...this.attempts.values()].filter(
      ({ runnerId: holder, status, fence }) =>
        holder === runnerId && (status === 'leased' || (fence !== null && fences.includes(fence))),
    )
  }

  /** Stores what follows what is stored; answers the first line that is not. */
  append(attemptId: string, firstLine: number, added: readonly string[]): number {
    const stored = this.lines.get(attemptId) ?? []
    this.lines.set(attemptId, stored)
    if (firstLine <= stored.length) stored.push(...added.slice(stored.length - firstLine))
    return stored.length
  }

  #leased(): StoredAttempt[] {
    return [...this.attempts.values()].filter(({ status }) => status === 'leased')
  }

  #report(report: AttemptReport): void {
    const attempt = this.attempts.get(report.id)
    if (attempt === undefined || (this.rules.resultNeedsLease && attempt.status !== 'leased')) return
    attempt.startedAt ??= report.started_at?.getTime() ?? null
    if (report.status !== null) this.#move(attempt, report.status)
  }

  #move(attempt: StoredAttempt, to: StoredAttempt['status']): void {
    this.#witness.attemptMoved(attempt, to, attempt.fence)
    attempt.status = to
  }

  #moveRun(id: string, { state, effects }: Transition, now: number): void {
    const run = this.runs.get(id)
    if (run === undefined) return
    this.#witness.runMoved(run, state)
    run.revision += 1
    if (run.state === undefined && run.graph.timeoutMs !== null) run.deadlineAt = now + run.graph.timeoutMs
    // States are stored as plain JSON and read back as such.
    run.state = JSON.parse(JSON.stringify(state))
    for (const effect of effects) this.#noteDue(run, effect, now)
    if (isTerminalRun(state.status)) run.due.clear()
  }

  #noteDue(run: StoredRun, effect: Effect, now: number): void {
    if (effect.type === 'schedule_retry') {
      const { step, task, attempt: number, delayMs } = effect
      run.due.set(`${step}/${task}`, { at: now + delayMs, kind: 'retry', key: { step, task, number } })
    }
    if (effect.type === 'start_step_timer') {
      const { step, afterMs } = effect
      run.due.set(step, { at: now + afterMs, kind: 'step', key: { step, task: '', number: 0 } })
    }
    if (effect.type === 'request_approval') this.approvals.set(`${run.id}/${effect.step}`, null)
  }
}

export interface NewAssignment {
  readonly attempt: StoredAttempt
  readonly fence: number
  readonly runnerId: string
}

export interface Canceled {
  readonly attempt: StoredAttempt
  readonly reason: string
}

export interface Saved {
  readonly assigned: readonly NewAssignment[]
  readonly canceled: readonly Canceled[]
}

function isSame(attempt: StoredAttempt, key: TaskKey & { readonly runId: string }): boolean {
  const { runId, step, task, number } = attempt
  return runId === key.runId && step === key.step && task === key.task && number === key.number
}
