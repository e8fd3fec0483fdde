import { isTerminalRun } from '@signalbox/pipeline/status'
import { type InboxItem, runOf } from '../../rules/inbox.ts'
import { readLane } from '../../rules/lanes.ts'
import { Slots } from '../../rules/slots.ts'
import { Machine } from './agenda.ts'
import { type Decided, decide, LANE, stopsWithLease } from './decide.ts'
import { listDue } from './due.ts'
import type { Stream, ToPlane } from './network.ts'
import type { Given, Saved, Snapshot, StoredAttempt, Transaction } from './store.ts'
import type { World } from './world.ts'

/** Every runner of the simulation serves its one lane. */
const servesAll = readLane(LANE)?.labels.length === 0
export const LEASE_MS = 15_000
const SWEEP_MS = 1_000
const RETRY_MS = 250
const TOLERATED_GAP_MS = 5_000

/** An attempt of one stream, as the process keeps it. */
interface Held {
  readonly attempt: StoredAttempt
  readonly fence: number
  readonly done: boolean
  startedAt: Date | null
  storedLines: number
  finished: Extract<ToPlane, { type: 'finished' }> | undefined
  reported: boolean
}

interface Session {
  readonly runnerId: string
  readonly capacity: number
  readonly stream: Stream
  readonly held: Map<number, Held>
}

interface Chunk {
  readonly session: Session
  readonly held: Held
  readonly firstLine: number
  readonly lines: readonly string[]
}

/**
 * A process of the control plane. Everything that it knows is gone when it dies; between any two of its writes, and
 * between a write and a word about it, it may.
 */
export class ControlPlane {
  readonly machine: Machine
  readonly #world: World
  readonly #sessions = new Map<string, Session>()
  readonly #known = new Map<string, Snapshot>()
  #inbox: InboxItem[] = []
  #chunks: Chunk[] = []
  #pumping = false
  #lookForWork = false
  /** What must not happen beside a round waits for its end. */
  #turns: (() => void)[] = []
  #busy = false
  #roundPlanned = false
  #transaction: Transaction | undefined
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(world: World) {
    this.#world = world
    this.machine = new Machine(world.agenda)
  }

  start(): void {
    this.machine.up = true
    this.#sweptAt = Number.NEGATIVE_INFINITY
    this.#sweep()
  }

  die(): void {
    this.machine.die()
    this.#transaction?.rollback()
    this.#transaction = undefined
    for (const { stream } of this.#sessions.values()) stream.end()
    this.#sessions.clear()
    this.#known.clear()
    this.#inbox = []
    this.#chunks = []
    this.#turns = []
    this.#busy = false
    this.#pumping = false
    this.#roundPlanned = false
    this.#lookForWork = false
  }

  accept(stream: Stream): void {
    let session: Session | undefined
    stream.toPlane.receive = (message) => {
      if (session !== undefined) this.#receive(session, message)
      else if (message.type === 'hello') {
        const { runnerId, capacity, fences } = message
        const greeted = { runnerId, capacity, stream, held: new Map<number, Held>() }
        this.#exclusively(() => this.#greet(greeted, fences, () => (session = greeted)))
      }
    }
    stream.toPlane.ended = () => {
      if (session !== undefined) this.#disconnect(session)
    }
  }

  // Rounds.

  #exclusively(turn: () => void): void {
    this.#turns.push(turn)
    this.#nextTurn()
  }

  #nextTurn(): void {
    if (this.#busy) return
    const turn = this.#turns.shift()
    if (turn === undefined) return
    this.#busy = true
    turn()
  }

  #endTurn(): void {
    this.#busy = false
    this.#nextTurn()
  }

  #push(...items: readonly InboxItem[]): void {
    this.#inbox.push(...items)
    this.#wake()
  }

  #wake(): void {
    if (this.#roundPlanned || (this.#inbox.length === 0 && !this.#lookForWork)) return
    this.#roundPlanned = true
    this.#exclusively(() => {
      this.#roundPlanned = false
      this.#begin(this.#inbox.splice(0, 16))
    })
  }

  #begin(items: readonly InboxItem[]): void {
    const { store, random, agenda } = this.#world
    const again = (afterMs: number) => {
      this.#transaction?.rollback()
      this.#transaction = undefined
      for (const item of items) this.#known.delete(runOf(item))
      this.machine.after(afterMs, () => this.#begin(items))
    }
    if (store.away) {
      again(RETRY_MS)
      return
    }
    const transaction = store.begin()
    this.#transaction = transaction
    // A result that comes a second time frees no second place.
    const ending = new Set(items.flatMap((item) => (item.kind === 'finished' ? [item.held.fence] : [])))
    const places = [...this.#sessions.values()].map(({ runnerId, capacity, held }) => {
      const busy = [...held.values()].filter(({ done, fence }) => !done && !ending.has(fence))
      return { id: runnerId, capacity, held: busy.length }
    })
    const lookForWork = this.#lookForWork
    this.#lookForWork = false
    const decided = decide({
      store,
      transaction,
      items,
      known: this.#known,
      slots: new Slots(places),
      tiers: servesAll ? [places.map(({ id }) => id)] : [],
      lookForWork,
      now: agenda.now,
      leaseMs: LEASE_MS,
      nextId: this.#world.nextId,
    })
    const saved = store.save(transaction, decided.round, agenda.now)
    if (saved === undefined) {
      this.#lookForWork ||= lookForWork
      again(random.between(1, 20))
      return
    }
    this.machine.after(random.between(0, 15), () => {
      if (store.away) {
        this.#lookForWork ||= lookForWork
        again(RETRY_MS)
        return
      }
      transaction.commit()
      this.#transaction = undefined
      this.machine.after(random.between(0, 10), () => {
        this.#speak(items, decided, saved)
        this.#endTurn()
        this.#wake()
      })
    })
  }

  #speak(items: readonly InboxItem[], { after, mayBeMore }: Decided, saved: Saved): void {
    this.#lookForWork ||= mayBeMore || items.length > 0
    for (const given of saved.given) this.#give(given)
    for (const item of items) {
      if (item.kind !== 'finished') continue
      const session = this.#sessions.get(item.runnerId)
      session?.held.delete(item.held.fence)
      session?.stream.sendToRunner({ type: 'finish_ack', fence: item.held.fence })
    }
    for (const { attempt } of saved.canceled) this.#cancel(attempt)
    for (const run of after) {
      if (run.state !== undefined && isTerminalRun(run.state.status)) this.#known.delete(run.id)
      else this.#known.set(run.id, run)
    }
  }

  #give({ attempt, fence, runnerId }: Given): void {
    const session = this.#sessions.get(runnerId)
    const run = this.#world.store.load(attempt.runId)
    if (session === undefined || run === undefined) return
    const fresh = { startedAt: null, storedLines: 0, finished: undefined, reported: false, done: false }
    session.held.set(fence, { attempt, fence, ...fresh })
    const { id: attemptId, runId, step, task, number } = attempt
    const stopWhenLeaseEnds = stopsWithLease(run, attempt)
    session.stream.sendToRunner({
      type: 'assign',
      assignment: { fence, attemptId, runId, step, task, number, stopWhenLeaseEnds },
    })
  }

  #cancel({ runnerId, fence }: StoredAttempt): void {
    const session = runnerId === null ? undefined : this.#sessions.get(runnerId)
    if (fence !== null && session?.held.has(fence)) session.stream.sendToRunner({ type: 'cancel', fence })
  }

  // What nobody tells.

  #sweep(): void {
    const { store, agenda } = this.#world
    if (!store.away) {
      if (agenda.now - this.#sweptAt > TOLERATED_GAP_MS) store.renewAll(agenda.now + LEASE_MS)
      this.#sweptAt = agenda.now
      this.#push(...listDue(store, agenda.now))
      this.#lookForWork = true
      this.#wake()
    }
    this.machine.after(SWEEP_MS, () => this.#sweep())
  }

  // Streams.

  #disconnect(session: Session): void {
    if (this.#sessions.get(session.runnerId) === session) this.#sessions.delete(session.runnerId)
  }

  #greet(session: Session, fences: readonly number[], welcomed: () => void): void {
    const { store, random, agenda } = this.#world
    const { runnerId, stream } = session
    const later = (work: () => void) => {
      this.machine.after(random.between(0, 10), () => {
        if (!store.away && stream.open) return work()
        stream.end()
        this.#endTurn()
      })
    }
    later(() => {
      const rows = store.listHeld(runnerId, fences)
      const leased = rows.flatMap(({ status, fence }) => (status === 'leased' && fence !== null ? [fence] : []))
      const renew = () => {
        if (rows.some(({ id }) => store.isLocked(id))) return later(renew)
        const renewed = new Set(store.renew(runnerId, leased, agenda.now + LEASE_MS).map(({ fence }) => fence))
        later(() => {
          this.#welcome(session, fences, rows, renewed, welcomed)
          this.#endTurn()
          this.#lookForWork = true
          this.#wake()
        })
      }
      later(renew)
    })
  }

  #welcome(
    session: Session,
    fences: readonly number[],
    rows: readonly StoredAttempt[],
    renewed: ReadonlySet<number | null>,
    welcomed: () => void,
  ): void {
    const { store } = this.#world
    const again: Given[] = []
    const gone: InboxItem[] = []
    for (const attempt of rows) {
      const { id: attemptId, fence, runId, step, task, number, status } = attempt
      if (fence === null || status === 'lost') continue
      const isLeased = renewed.has(fence)
      const storedLines = store.lines.get(attemptId)?.length ?? 0
      if (fences.includes(fence) && (isLeased || status !== 'leased')) {
        const startedAt = attempt.startedAt === null ? null : new Date(attempt.startedAt)
        const held = { attempt, fence, startedAt, storedLines, finished: undefined, reported: false, done: !isLeased }
        session.held.set(fence, held)
      } else if (isLeased && !hasBegun(attempt, store.rules.storedLinesMeanBegun ? storedLines : 0))
        again.push({ attempt, fence, runnerId: session.runnerId })
      else if (isLeased) {
        const held = { attemptId, runId, step, task, number }
        gone.push({ kind: 'lost', runnerId: session.runnerId, held, reason: 'restarted', ifExpired: false })
      }
    }
    this.#sessions.get(session.runnerId)?.stream.end()
    this.#sessions.set(session.runnerId, session)
    welcomed()
    const resume = [...session.held.values()].map(({ fence, storedLines }) => ({ fence, nextLine: storedLines }))
    session.stream.sendToRunner({ type: 'welcome', resume })
    for (const attempt of rows) if (renewed.has(attempt.fence) && attempt.cancelReason !== null) this.#cancel(attempt)
    for (const given of again) this.#give(given)
    this.#push(...gone)
  }

  #receive(session: Session, message: ToPlane): void {
    const { agenda, store } = this.#world
    switch (message.type) {
      case 'heartbeat':
        this.#beat(session, message.sequence, message.fences)
        break
      case 'started': {
        const held = session.held.get(message.fence)
        if (held === undefined || held.done) return
        held.startedAt = new Date(agenda.now)
        this.#push({ kind: 'started', runnerId: session.runnerId, held: inboxHeld(held), at: held.startedAt })
        break
      }
      case 'log': {
        const held = session.held.get(message.fence)
        if (held === undefined) return
        if (!store.rules.linesAreStoredFirst) {
          const nextLine = message.firstLine + message.lines.length
          session.stream.sendToRunner({ type: 'log_ack', fence: held.fence, nextLine })
        }
        this.#chunks.push({ session, held, firstLine: message.firstLine, lines: message.lines })
        this.#pump()
        break
      }
      case 'finished': {
        const held = session.held.get(message.fence)
        if (held === undefined) {
          if (!store.rules.fencesAreCompared) this.#believe(session, message)
          session.stream.sendToRunner({ type: 'finish_ack', fence: message.fence })
          return
        }
        held.finished = message
        this.#settle(session, held)
        break
      }
      case 'hello':
        session.stream.end()
        break
      default:
        message satisfies never
    }
  }

  /** What must never be done: a result counts for whichever attempt of its task is in hand now. */
  #believe({ runnerId }: Session, { fence: stale, result }: Extract<ToPlane, { type: 'finished' }>): void {
    const attempts = [...this.#world.store.attempts.values()]
    const theirs = attempts.find(({ fence }) => fence === stale)
    const current = attempts.find(({ runId, step, task, status }) => {
      return status === 'leased' && runId === theirs?.runId && step === theirs.step && task === theirs.task
    })
    if (current === undefined) return
    const { id: attemptId, runId, step, task, number, fence } = current
    const held = { attemptId, runId, step, task, number, fence: fence ?? 0 }
    const finished = { result, exitCode: null, reason: '', outputs: {}, startedAt: null }
    this.#push({ kind: 'finished', runnerId, held, finished })
  }

  #settle(session: Session, held: Held): void {
    const { finished } = held
    if (finished === undefined || held.storedLines < finished.lineCount) return
    held.finished = undefined
    if (held.done) {
      session.held.delete(held.fence)
      session.stream.sendToRunner({ type: 'finish_ack', fence: held.fence })
      return
    }
    held.reported = true
    const { result } = finished
    const exitCode = result === 'failure' ? 1 : null
    const attempt = { result, exitCode, reason: '', outputs: {}, startedAt: held.startedAt }
    this.#push({ kind: 'finished', runnerId: session.runnerId, held: inboxHeld(held), finished: attempt })
  }

  #pump(): void {
    if (this.#pumping || this.#chunks.length === 0) return
    this.#pumping = true
    const { store, random } = this.#world
    const flush = () => {
      if (store.away) {
        this.machine.after(RETRY_MS, flush)
        return
      }
      const stored = this.#chunks.splice(0).map((chunk) => {
        const next = store.append(chunk.held.attempt.id, chunk.firstLine, chunk.lines)
        return { ...chunk, next }
      })
      this.machine.after(random.between(0, 10), () => {
        for (const { session, held, firstLine, lines, next } of stored) {
          if (firstLine + lines.length > next) session.stream.end()
          held.storedLines = Math.max(held.storedLines, next)
          session.stream.sendToRunner({ type: 'log_ack', fence: held.fence, nextLine: next })
          this.#settle(session, held)
        }
        this.#pumping = false
        this.#pump()
      })
    }
    this.machine.after(random.between(0, 20), flush)
  }

  /** What its runner gave up at the end of its lease it names no more: once the lease is lost, its place is free. */
  #dropForgotten(session: Session, named: readonly number[]): void {
    for (const { fence, attempt, done, reported } of session.held.values()) {
      if (done || reported || named.includes(fence)) continue
      if (attempt.status !== 'leased') session.held.delete(fence)
    }
  }

  #beat(session: Session, sequence: number, fences: readonly number[]): void {
    const { store, random, agenda } = this.#world
    const wanted = fences.filter((fence) => session.held.get(fence)?.done === false)
    const renew = () => {
      if (store.away) {
        session.stream.sendToRunner({ type: 'heartbeat_ack', sequence, lost: [] })
        return
      }
      if (wanted.some((fence) => store.isLocked(session.held.get(fence)?.attempt.id ?? ''))) {
        this.machine.after(5, renew)
        return
      }
      const renewed = store.renew(session.runnerId, wanted, agenda.now + LEASE_MS)
      for (const attempt of renewed) if (attempt.cancelReason !== null) this.#cancel(attempt)
      const kept = new Set(renewed.map(({ fence }) => fence))
      const lost = wanted.filter((fence) => {
        const held = session.held.get(fence)
        return !kept.has(fence) && held !== undefined && !held.done && !held.reported
      })
      for (const fence of lost) session.held.delete(fence)
      if (store.rules.forgottenPlacesAreFreed) this.#dropForgotten(session, fences)
      session.stream.sendToRunner({ type: 'heartbeat_ack', sequence, lost })
    }
    this.machine.after(random.between(0, 10), renew)
  }
}

/** Where its runner has it no more, only one that never began may be given to it again; its lines may be stored first. */
function hasBegun(attempt: StoredAttempt, storedLines: number): boolean {
  return attempt.startedAt !== null || storedLines > 0
}

function inboxHeld({ attempt, fence }: Held) {
  const { id: attemptId, runId, step, task, number } = attempt
  return { fence, attemptId, runId, step, task, number }
}
