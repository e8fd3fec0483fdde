import { type AttemptEvent, transition } from '../../../../../../../runner/src/attempts/attempt-state.ts'
import { LeaseClock } from '../../../../../../../runner/src/lease/lease-clock.ts'
import { watchLeases } from '../../../../../../../runner/src/lease/lease-watch.ts'
import { Machine } from './agenda.ts'
import { type Execution, newExecution, say } from './execution.ts'
import type { Assignment, Result, Stream, ToRunner } from './network.ts'
import { timeOf } from './runner-time.ts'
import type { Surroundings } from './surroundings.ts'

const HEARTBEAT_MS = 3_000
const WELCOME_MS = 10_000
const GRACE_MS = 30_000
const silent = { info: () => undefined, warn: () => undefined }

/** A runner: the real lease clock, lease watch and states of attempts, around processes that are only imagined. */
export class SimulatedRunner {
  readonly id: string
  readonly machine: Machine
  readonly executions = new Map<number, Execution>()
  reachable = true
  readonly #world: Surroundings
  readonly #capacity: number
  #leases = new LeaseClock()
  #stream: Stream | undefined
  #welcomed = false
  #heardAt = 0
  #failures = 0

  constructor(world: Surroundings, id: string, capacity: number) {
    this.#world = world
    this.id = id
    this.#capacity = capacity
    this.machine = new Machine(world.agenda)
  }

  start(): void {
    this.machine.up = true
    this.#leases = new LeaseClock()
    watchLeases({
      time: timeOf(this.#world, this.machine),
      log: silent,
      leases: this.#leases,
      attempts: {
        stop: (fence, stop) => this.#apply(Number(fence), { kind: 'stop', stop }),
        endWithLease: (fence) => this.#endWithLease(Number(fence)),
      },
      connected: () => this.#stream !== undefined,
      graceMs: GRACE_MS,
    })
    this.#connect()
  }

  /** The machine goes down, and all that runs on it. Whether the other end notices is the network's affair. */
  die(): void {
    for (const execution of this.executions.values()) execution.running = false
    this.executions.clear()
    this.machine.die()
    const stream = this.#stream
    this.#stream = undefined
    if (stream === undefined) return
    if (this.#world.random.chance(0.3)) stream.toPlane.cut = true
    stream.end()
  }

  freeze(): void {
    this.machine.freeze()
    for (const execution of this.executions.values()) execution.wasFrozen = true
  }

  /** The network is gone: in one direction, or in both. */
  cutOff(): void {
    this.reachable = false
    if (this.#stream === undefined) return
    const both = this.#world.random.chance(0.6)
    const up = this.#world.random.chance(0.5)
    this.#stream.toPlane.cut = both || up
    this.#stream.toRunner.cut = both || !up
  }

  get #now(): number {
    return this.#world.agenda.now
  }

  // The stream.

  #connect(): void {
    const plane = this.reachable ? this.#world.choosePlane() : undefined
    if (plane === undefined) {
      this.#connectLater()
      return
    }
    const stream = this.#world.connect(plane, this.machine)
    this.#stream = stream
    this.#welcomed = false
    this.#heardAt = this.#now
    stream.toRunner.receive = (message) => {
      if (this.#stream === stream) this.#receive(stream, message)
    }
    stream.toRunner.ended = () => this.#disconnect(stream)
    const fences = [...this.executions.keys()]
    stream.sendToPlane({ type: 'hello', runnerId: this.id, capacity: this.#capacity, fences })
    this.machine.after(WELCOME_MS, () => {
      if (this.#stream === stream && !this.#welcomed) this.#close(stream)
    })
  }

  #connectLater(): void {
    const ceiling = Math.min(10_000, 200 * 2 ** Math.min(this.#failures++, 16))
    this.machine.after(ceiling * (0.5 + this.#world.random.next() / 2), () => this.#connect())
  }

  #close(stream: Stream): void {
    stream.end()
    this.#disconnect(stream)
  }

  #disconnect(stream: Stream): void {
    if (this.#stream !== stream) return
    this.#stream = undefined
    this.#leases.disconnect()
    if (this.#welcomed) this.#failures = 0
    this.#connectLater()
  }

  #receive(stream: Stream, message: ToRunner): void {
    switch (message.type) {
      case 'welcome':
        this.#greet(stream, message.resume)
        break
      case 'assign':
        this.#leases.begin(BigInt(message.assignment.fence), this.#heardAt)
        this.#assign(message.assignment)
        break
      case 'cancel':
        this.#apply(message.fence, { kind: 'stop', stop: { why: 'canceled', reason: 'canceled' } })
        break
      case 'log_ack': {
        const execution = this.executions.get(message.fence)
        if (execution === undefined) return
        this.#world.checks.linesAcknowledged(execution, message.nextLine)
        execution.acknowledged = Math.max(execution.acknowledged, message.nextLine)
        this.#leaveWhenAcknowledged(execution)
        break
      }
      case 'finish_ack': {
        const execution = this.executions.get(message.fence)
        if (execution === undefined) return
        execution.finishAcknowledged = true
        this.#leaveWhenAcknowledged(execution)
        break
      }
      case 'heartbeat_ack': {
        const lost = message.lost.map(BigInt)
        this.#heardAt = this.#leases.accept(message.sequence, lost) ?? this.#heardAt
        this.#lose(message.lost)
        break
      }
      default:
        message satisfies never
    }
    this.#speak()
  }

  #greet(stream: Stream, resume: readonly { readonly fence: number; readonly nextLine: number }[]): void {
    this.#welcomed = true
    this.#leases.grant(15)
    const resumed = new Set(resume.map(({ fence }) => fence))
    this.#lose([...this.executions.keys()].filter((fence) => !resumed.has(fence)))
    for (const { fence, nextLine } of resume) {
      this.#leases.begin(BigInt(fence), this.#heardAt)
      const execution = this.executions.get(fence)
      if (execution === undefined) continue
      this.#world.checks.linesAcknowledged(execution, nextLine)
      execution.acknowledged = Math.max(execution.acknowledged, nextLine)
      execution.sent = nextLine
      execution.startedSent = false
      execution.reportSent = false
    }
    this.#beat(stream)
  }

  #beat(stream: Stream): void {
    if (this.#stream !== stream) return
    const since = this.#leases.unansweredSince
    if (since !== undefined && this.#now - since >= 3 * HEARTBEAT_MS) {
      this.#close(stream)
      return
    }
    const fences = [...this.executions.keys()]
    const sequence = this.#leases.send(fences.map(BigInt), this.#now)
    stream.sendToPlane({ type: 'heartbeat', sequence, fences })
    this.machine.after(HEARTBEAT_MS, () => this.#beat(stream))
  }

  /** Says what is to be said, each attempt in the order that the protocol asks for. */
  #speak(): void {
    const stream = this.#stream
    if (stream === undefined || !this.#welcomed) return
    for (const execution of this.executions.values()) say(execution, stream)
  }

  // Attempts.

  #assign(assignment: Assignment): void {
    const { fence } = assignment
    if (this.executions.has(fence)) return
    // An assignment that came while the runner was frozen may begin before the lease watch has looked.
    const execution = newExecution(assignment, this, this.#now - this.machine.thawedAt < 500)
    this.executions.set(fence, execution)
    const atWork = this.executions.values().filter(({ result, wasFrozen }) => result === undefined && !wasFrozen)
    // A process that has not noticed the end of its stream may still assign as much as the process with the next stream.
    this.#world.checks.assigned(execution, [...atWork].length, this.#capacity * this.#world.planes.length)
    const { random } = this.#world
    const plan = this.#world.plan(assignment)
    this.machine.after(random.between(5, 150), () => {
      if (execution.state.phase !== 'preparing') return
      if (plan.handsBack) {
        this.#end(execution, 'lost')
        return
      }
      execution.startedAt = this.#now
      execution.running = true
      this.#world.checks.began(execution)
      this.#apply(fence, { kind: 'started' })
      this.#speak()
      for (let line = 1; line <= plan.lines; line++) {
        this.machine.after((plan.durationMs * line) / (plan.lines + 1), () => this.#write(execution))
      }
      this.machine.after(plan.durationMs, () => {
        if (plan.kills && execution.running) this.#world.crash(this)
        else this.#end(execution, plan.result)
      })
    })
  }

  #write(execution: Execution): void {
    if (!execution.running) return
    execution.lines.push(`${execution.assignment.fence}.${this.#world.nextId()}`)
    this.#speak()
  }

  #end(execution: Execution, result: Result): void {
    if (execution.state.phase !== 'preparing' && execution.state.phase !== 'running') return
    execution.running = false
    const { stop } = execution.state
    const { fence } = execution.assignment
    this.#apply(fence, { kind: 'ended' })
    this.machine.after(this.#world.random.between(0, 30), () => {
      if (execution.state.phase !== 'finishing') return
      execution.result = stop === undefined ? result : stop.why === 'failed' ? 'failure' : stop.why
      this.#apply(fence, { kind: 'collected' })
    })
  }

  #apply(fence: number, event: AttemptEvent): void {
    const execution = this.executions.get(fence)
    if (execution === undefined) return
    const { state, effects } = transition(execution.state, event)
    execution.state = state
    for (const effect of effects) {
      switch (effect) {
        case 'terminate':
          this.machine.after(this.#world.random.between(0, 800), () => this.#end(execution, 'canceled'))
          break
        case 'kill':
          execution.running = false
          break
        case 'report':
          this.#speak()
          break
        case 'forget':
          this.executions.delete(fence)
          this.#leases.end(BigInt(fence))
          break
        case 'collect':
          break
        default:
          effect satisfies never
      }
    }
  }

  #endWithLease(fence: number): boolean {
    const execution = this.executions.get(fence)
    if (execution === undefined || !execution.assignment.stopWhenLeaseEnds) return false
    this.#apply(fence, { kind: 'lease_over' })
    return !this.executions.has(fence)
  }

  #lose(fences: readonly number[]): void {
    for (const fence of fences) {
      this.#leases.end(BigInt(fence))
      this.#apply(fence, { kind: 'lost' })
    }
  }

  /** The result is stored; it stays in hand until its last line is, too. */
  #leaveWhenAcknowledged(execution: Execution): void {
    if (!execution.finishAcknowledged || execution.acknowledged < execution.lines.length) return
    const { result, assignment } = execution
    if (result !== undefined) this.#world.checks.acknowledged(execution, result)
    this.#apply(assignment.fence, { kind: 'acknowledged' })
  }
}
