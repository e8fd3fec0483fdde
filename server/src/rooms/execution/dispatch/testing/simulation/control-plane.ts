import { isTerminalRun } from '@signalbox/pipeline/status'
import { type InboxItem, runOf } from '../../rules/inbox.ts'
import { Slots } from '../../rules/slots.ts'
import { Machine } from './agenda.ts'
import { believe } from './believe.ts'
import { type Decided, decide, stopsWithLease } from './decide.ts'
import { listDue } from './due.ts'
import { type Hello, sortAssignments } from './greeting.ts'
import { answerHeartbeat } from './heartbeat.ts'
import { LEASE_MS } from './lease-time.ts'
import { LinePump } from './line-pump.ts'
import type { Stream, ToPlane } from './network.ts'
import { placesOf, reportOf, type Session, type TrackedAssignment, toAssignment, track } from './sessions.ts'
import type { NewAssignment, Saved, Snapshot, StoredAttempt } from './store.ts'
import type { Surroundings } from './surroundings.ts'
import type { Transaction } from './transaction.ts'
import { Turns } from './turns.ts'

const SWEEP_MS = 1_000
const RETRY_MS = 250
const TOLERATED_GAP_MS = 5_000

/**
 * A process of the control plane. The process may die between any two of its writes, and between a write and the message
 * about it. The memory is then lost.
 */
export class ControlPlane {
  readonly machine: Machine
  readonly #world: Surroundings
  readonly #sessions = new Map<string, Session>()
  readonly #known = new Map<string, Snapshot>()
  #inbox: InboxItem[] = []
  readonly #pump: LinePump
  #lookForWork = false
  readonly #turns = new Turns()
  #roundPlanned = false
  #transaction: Transaction | undefined
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(world: Surroundings) {
    this.#world = world
    this.machine = new Machine(world.agenda)
    this.#pump = new LinePump(world, this.machine, (session, assignment) => this.#settle(session, assignment))
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
    this.#pump.forget()
    this.#turns.forget()
    this.#roundPlanned = false
    this.#lookForWork = false
  }

  accept(stream: Stream): void {
    let session: Session | undefined
    stream.toPlane.receive = (message) => {
      if (session !== undefined) this.#receive(session, message)
      else if (message.type === 'hello') {
        const { runnerId, capacity, fences } = message
        const greeted = { runnerId, capacity, stream, assignments: new Map<number, TrackedAssignment>() }
        this.#turns.take(() => this.#greet(greeted, fences, () => (session = greeted)))
      }
    }
    stream.toPlane.ended = () => {
      if (session !== undefined) this.#disconnect(session)
    }
  }

  #push(...items: readonly InboxItem[]): void {
    this.#inbox.push(...items)
    this.#wake()
  }

  #wake(): void {
    if (this.#roundPlanned || (this.#inbox.length === 0 && !this.#lookForWork)) return
    this.#roundPlanned = true
    this.#turns.take(() => {
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
    const places = placesOf(this.#sessions.values(), items)
    const lookForWork = this.#lookForWork
    this.#lookForWork = false
    const decided = decide({
      store,
      transaction,
      items,
      known: this.#known,
      slots: new Slots(places),
      // Every runner of the simulation serves its one lane.
      tiers: [places.map(({ id }) => id)],
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
        this.#turns.end()
        this.#wake()
      })
    })
  }

  #speak(items: readonly InboxItem[], { after, mayBeMore }: Decided, saved: Saved): void {
    this.#lookForWork ||= mayBeMore || items.length > 0
    for (const assignment of saved.assigned) this.#give(assignment)
    for (const item of items) {
      if (item.kind !== 'finished') continue
      const session = this.#sessions.get(item.runnerId)
      session?.assignments.delete(item.assignment.fence)
      session?.stream.sendToRunner({ type: 'finish_ack', fence: item.assignment.fence })
    }
    for (const { attempt } of saved.canceled) this.#cancel(attempt)
    for (const run of after) {
      if (run.state !== undefined && isTerminalRun(run.state.status)) this.#known.delete(run.id)
      else this.#known.set(run.id, run)
    }
  }

  #give({ attempt, fence, runnerId }: NewAssignment): void {
    const session = this.#sessions.get(runnerId)
    const run = this.#world.store.load(attempt.runId)
    if (session === undefined || run === undefined) return
    const tracked = track(attempt, fence)
    session.assignments.set(fence, tracked)
    const assignment = { ...toAssignment(tracked), stopWhenLeaseEnds: stopsWithLease(run, attempt) }
    session.stream.sendToRunner({ type: 'assign', assignment })
  }

  #cancel({ runnerId, fence }: StoredAttempt): void {
    const session = runnerId === null ? undefined : this.#sessions.get(runnerId)
    if (fence !== null && session?.assignments.has(fence)) session.stream.sendToRunner({ type: 'cancel', fence })
  }

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
        this.#turns.end()
      })
    }
    later(() => {
      const rows = store.listAssigned(runnerId, fences)
      const leased = rows.flatMap(({ status, fence }) => (status === 'leased' && fence !== null ? [fence] : []))
      const renew = () => {
        if (rows.some(({ id }) => store.isLocked(id))) return later(renew)
        const renewed = new Set(store.renew(runnerId, leased, agenda.now + LEASE_MS).map(({ fence }) => fence))
        later(() => {
          welcomed()
          this.#welcome(session, { fences, rows, renewed })
          this.#turns.end()
          this.#lookForWork = true
          this.#wake()
        })
      }
      later(renew)
    })
  }

  #welcome(session: Session, hello: Hello): void {
    const { again, gone } = sortAssignments(this.#world.store, session, hello)
    this.#sessions.get(session.runnerId)?.stream.end()
    this.#sessions.set(session.runnerId, session)
    const resume = [...session.assignments.values()].map(({ fence, storedLines }) => ({ fence, nextLine: storedLines }))
    session.stream.sendToRunner({ type: 'welcome', resume })
    for (const attempt of hello.rows) {
      if (hello.renewed.has(attempt.fence) && attempt.cancelReason !== null) this.#cancel(attempt)
    }
    for (const assignment of again) this.#give(assignment)
    this.#push(...gone)
  }

  #receive(session: Session, message: ToPlane): void {
    const { agenda, store } = this.#world
    switch (message.type) {
      case 'heartbeat':
        answerHeartbeat(this.#world, this.machine, session, {
          ...message,
          cancel: (attempt) => this.#cancel(attempt),
        })
        break
      case 'started': {
        const assignment = session.assignments.get(message.fence)
        if (assignment === undefined || assignment.done) return
        assignment.startedAt = new Date(agenda.now)
        const at = assignment.startedAt
        const { runnerId } = session
        this.#push({ kind: 'started', runnerId, assignment: toAssignment(assignment), at, arrivedAt: at, images: [] })
        break
      }
      case 'log': {
        const assignment = session.assignments.get(message.fence)
        if (assignment === undefined) return
        if (!store.rules.linesAreStoredFirst) {
          const nextLine = message.firstLine + message.lines.length
          session.stream.sendToRunner({ type: 'log_ack', fence: assignment.fence, nextLine })
        }
        this.#pump.push({ session, assignment, firstLine: message.firstLine, lines: message.lines })
        break
      }
      case 'finished': {
        const assignment = session.assignments.get(message.fence)
        if (assignment === undefined) {
          if (!store.rules.fencesAreCompared) this.#push(...believe(store, session, message))
          session.stream.sendToRunner({ type: 'finish_ack', fence: message.fence })
          return
        }
        assignment.finished = message
        this.#settle(session, assignment)
        break
      }
      case 'hello':
        session.stream.end()
        break
      default:
        message satisfies never
    }
  }

  #settle(session: Session, assignment: TrackedAssignment): void {
    const { finished } = assignment
    if (finished === undefined || assignment.storedLines < finished.lineCount) return
    assignment.finished = undefined
    if (assignment.done) {
      session.assignments.delete(assignment.fence)
      session.stream.sendToRunner({ type: 'finish_ack', fence: assignment.fence })
      return
    }
    assignment.reported = true
    this.#push(reportOf(session, assignment, finished.result))
  }
}
