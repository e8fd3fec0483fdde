import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type ServerDuplexStream, status } from '@grpc/grpc-js'
import { type ControlMessage, ControlMessageSchema, type RunnerMessage } from '@signalbox/contracts/runner'
import type { Runner } from '#rooms/catalog/runners'
import type { Assignment } from '../rules/assignment.ts'
import type { FinishedAttempt } from '../rules/inbox.ts'

export type RunnerStream = ServerDuplexStream<RunnerMessage, ControlMessage>
export type OutgoingKind = NonNullable<MessageInitShape<typeof ControlMessageSchema>['kind']>

/** An attempt of this stream, and how far its log and its result have come. */
export interface TrackedAssignment extends Assignment {
  startedAt: Date | null
  /** The first line that is not stored. */
  storedLines: number
  /** The attempt's result, kept back until its last log line is stored. */
  finished: { readonly attempt: FinishedAttempt; readonly lineCount: number } | undefined
  /**
   * The attempt's result is in the dispatcher's inbox: until the result is stored, a failed renewal of the lease means
   * nothing.
   */
  reported: boolean
  /** The result is stored: only the acknowledgement is still owed. */
  readonly done: boolean
}

/** A runner that does not read what we send is cut: what waits for it would fill memory. */
const MAX_UNREAD = 10_000

/** What a stream began with. */
export interface Greeting {
  readonly capacity: number
  readonly draining: boolean
  /** When it was greeted, as stored with the runner. */
  readonly since: Date
}

/** One stream of one runner, from its Welcome to its end. */
export class RunnerSession {
  runner: Runner
  readonly capacity: number
  readonly since: Date
  readonly assignments = new Map<number, TrackedAssignment>()
  draining: boolean
  #drainSent = false
  readonly #stream: RunnerStream
  readonly #pausedBy = new Set<string>()
  /** Assignments that are being made for it. */
  readonly #coming = new Set<Promise<void>>()
  #ended = false

  constructor(runner: Runner, stream: RunnerStream, { capacity, draining, since }: Greeting) {
    this.runner = runner
    this.#stream = stream
    this.capacity = capacity
    this.since = since
    this.draining = draining
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Attempts that take a place of it: what is done, or about to be stored as such, waits for nothing but a word. */
  busyBut(ending: ReadonlySet<number>): number {
    let busy = 0
    for (const { fence, done } of this.assignments.values()) if (!done && !ending.has(fence)) busy += 1
    return busy
  }

  send(kind: OutgoingKind): void {
    if (this.#ended) return
    this.#stream.write(create(ControlMessageSchema, { kind }))
    if (this.#stream.writableLength > MAX_UNREAD) this.end(status.RESOURCE_EXHAUSTED, 'The runner does not read.')
  }

  /** An assignment is being made for it: `sending` ends, and never throws, once it was sent or cannot be. */
  expect(sending: Promise<void>): void {
    this.#coming.add(sending)
    void sending.then(() => this.#coming.delete(sending))
  }

  /** Once all that is expected was sent, or cannot be. */
  async settled(): Promise<void> {
    await Promise.all(this.#coming)
  }

  drain(): void {
    if (this.#drainSent) return
    this.#drainSent = true
    this.send({ case: 'drain', value: {} })
  }

  /** Reading stops while anybody pauses the stream: the flow control of gRPC then slows the runner down. */
  pause(who: string): void {
    this.#pausedBy.add(who)
    this.#stream.pause()
  }

  resume(who: string): void {
    if (this.#pausedBy.delete(who) && this.#pausedBy.size === 0 && !this.#ended) this.#stream.resume()
  }

  /** The runner connects again and finds its attempts where they are. */
  end(code: status, details: string): void {
    if (this.#ended) return
    this.#ended = true
    this.#stream.emit('error', { code, details })
  }

  /** The stream is gone by itself. */
  markEnded(): void {
    this.#ended = true
  }
}
