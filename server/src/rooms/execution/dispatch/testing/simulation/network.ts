import type { Machine } from './agenda.ts'
import type { Random } from './random.ts'
import type { TaskKey } from './store.ts'

export interface Assignment extends TaskKey {
  readonly fence: number
  readonly attemptId: string
  readonly runId: string
  readonly stopWhenLeaseEnds: boolean
}

export type ToPlane =
  | { readonly type: 'hello'; readonly runnerId: string; readonly capacity: number; readonly fences: readonly number[] }
  | { readonly type: 'heartbeat'; readonly sequence: number; readonly fences: readonly number[] }
  | { readonly type: 'started'; readonly fence: number }
  | { readonly type: 'log'; readonly fence: number; readonly firstLine: number; readonly lines: readonly string[] }
  | { readonly type: 'finished'; readonly fence: number; readonly result: Result; readonly lineCount: number }

/** `lost`: it is handed back before anything of the task has begun. */
export type Result = 'success' | 'failure' | 'timed_out' | 'canceled' | 'lost'

export type ToRunner =
  | { readonly type: 'welcome'; readonly resume: readonly { readonly fence: number; readonly nextLine: number }[] }
  | { readonly type: 'assign'; readonly assignment: Assignment }
  | { readonly type: 'cancel'; readonly fence: number }
  | { readonly type: 'log_ack'; readonly fence: number; readonly nextLine: number }
  | { readonly type: 'finish_ack'; readonly fence: number }
  | { readonly type: 'heartbeat_ack'; readonly sequence: number; readonly lost: readonly number[] }

/** Without these in their order a stream means nothing; the rest may come late, or twice. */
const ordered: ReadonlySet<string> = new Set(['hello', 'welcome', 'assign'])

interface Way<Message> {
  readonly machine: Machine
  receive: (message: Message) => void
  ended: () => void
  /** Messages are lost without notice. */
  cut: boolean
  /** The time at which the last message arrives. */
  last: number
}

/**
 * One connection between a runner and a control plane. The stream is worse than TCP. Messages that need no order sometimes
 * come late or twice, and messages under way are lost when the stream ends.
 */
export class Stream {
  open = true
  readonly toPlane: Way<ToPlane>
  readonly toRunner: Way<ToRunner>
  readonly #random: Random
  readonly #now: () => number

  constructor(plane: Machine, runner: Machine, random: Random, now: () => number) {
    const nobody = () => undefined
    this.toPlane = { machine: plane, receive: nobody, ended: nobody, cut: false, last: 0 }
    this.toRunner = { machine: runner, receive: nobody, ended: nobody, cut: false, last: 0 }
    this.#random = random
    this.#now = now
  }

  sendToPlane(message: ToPlane): void {
    this.#send(this.toPlane, message)
  }

  sendToRunner(message: ToRunner): void {
    this.#send(this.toRunner, message)
  }

  /** Both ends learn of the end, unless their way is cut. */
  end(): void {
    if (!this.open) return
    this.open = false
    for (const way of [this.toPlane, this.toRunner]) {
      if (!way.cut) way.machine.after(this.#random.between(0, 20), () => way.ended())
    }
  }

  #send<Message extends ToPlane | ToRunner>(way: Way<Message>, message: Message): void {
    if (!this.open || way.cut) return
    const arrives = this.#now() + this.#random.between(1, 40)
    if (ordered.has(message.type) || !this.#random.chance(0.1)) {
      way.last = Math.max(way.last, arrives)
      this.#deliver(way, message, way.last)
    } else this.#deliver(way, message, arrives + this.#random.between(0, 400))
    if (!ordered.has(message.type) && this.#random.chance(0.05)) {
      this.#deliver(way, message, arrives + this.#random.between(0, 2_000))
    }
  }

  #deliver<Message>(way: Way<Message>, message: Message, at: number): void {
    way.machine.after(at - this.#now(), () => {
      if (this.open && !way.cut) way.receive(message)
    })
  }
}
