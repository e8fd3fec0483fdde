import { create } from '@bufbuild/protobuf'
import type { ServiceError } from '@grpc/grpc-js'
import { status } from '@grpc/grpc-js'
import type { ControlMessage, Hello, Welcome } from '@signalbox/contracts/runner'
import { HelloSchema, RunnerMessageSchema } from '@signalbox/contracts/runner'
import type { OutgoingMessage } from '../attempts/attempt.ts'
import type { AttemptsInHand } from '../attempts/attempts-in-hand.ts'
import type { KeptWorkspace } from '../executors/workspace/shared-places.ts'
import type { LeaseClock } from '../lease/lease-clock.ts'
import type { Log } from '../log.ts'
import type { Time, Timer } from '../time/index.ts'
import type { ControlStream } from './gateway-client.ts'

const WELCOME_TIMEOUT_MS = 10_000
// Silence of this many heartbeats means that the connection is dead, whatever TCP believes.
const SILENT_HEARTBEATS = 3

export interface SessionNeeds {
  time: Time
  log: Log
  attempts: AttemptsInHand
  leases: LeaseClock
  version: string
  capacity: number
  labels: readonly string[]
  /** The kinds of tasks that can run here now. */
  executors: () => readonly string[]
  /** Shared workspaces that are kept until their steps are over. */
  keptWorkspaces: () => readonly KeptWorkspace[]
  /** The control plane asks this runner to drain. */
  drainAsked: () => void
  /** The drain came nearer to its end. */
  drainAdvanced: () => void
  /** No further attempt of this step comes to this runner. */
  workspaceOver: (kept: KeptWorkspace) => void
}

export interface SessionEnd {
  welcomed: boolean
  code: number
  reason: string
}

/** One stream to the gateway, from Hello to its end. */
export class Session {
  readonly #needs: SessionNeeds
  readonly #stream: ControlStream
  readonly #done: (end: SessionEnd) => void
  #ended = false
  #welcome: Welcome | undefined
  #writable = true
  #timer: Timer
  #draining: boolean
  #drainSequence: number | undefined
  // Everything the control plane sent before it knew that we drain has arrived.
  #drainSettled = false
  #pumpPlanned = false
  // When the last message left that the control plane has answered. The control plane gives everything after that
  // answer out later than this time, by an unknown span.
  #heardAt: number

  constructor(needs: SessionNeeds, stream: ControlStream, draining: boolean, done: (end: SessionEnd) => void) {
    this.#needs = needs
    this.#stream = stream
    this.#done = done
    this.#draining = draining
    this.#heardAt = needs.time.monotonic()
    this.#timer = needs.time.after(WELCOME_TIMEOUT_MS, () => this.close('The gateway did not answer the greeting.'))
    stream.on('data', (message: ControlMessage) => this.#receive(message))
    stream.on('drain', () => {
      this.#writable = true
      this.wake()
    })
    stream.on('error', (error: ServiceError) => this.#end(error.code ?? status.UNKNOWN, error.details || error.message))
    stream.on('end', () => this.#end(status.UNAVAILABLE, 'The gateway ended the stream.'))
    this.#send({ case: 'hello', value: this.#hello() })
  }

  /** Nothing will be assigned any more on this stream, and nothing is in hand. */
  get finished(): boolean {
    return this.#drainSettled && this.#needs.attempts.size === 0
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#welcome === undefined || !this.#writable || this.#pumpPlanned || this.#ended) return
    this.#pumpPlanned = true
    queueMicrotask(() => {
      this.#pumpPlanned = false
      this.#pump()
    })
  }

  drain(): void {
    if (this.#draining) return
    this.#draining = true
    if (this.#welcome !== undefined) this.#announceDrain()
  }

  /** Ends the stream at once. */
  close(reason: string): void {
    this.#end(status.CANCELLED, reason)
  }

  #hello(): Hello {
    const { version, capacity, labels, executors, attempts, keptWorkspaces } = this.#needs
    return create(HelloSchema, {
      version,
      capacity,
      labels: [...labels],
      executors: [...executors()],
      attempts: attempts.fences().map((fence) => ({ fence })),
      draining: this.#draining,
      begun: attempts.givenUp(),
      keptWorkspaces: keptWorkspaces().map(({ runId, step }) => ({ runId, step })),
    })
  }

  #receive({ kind }: ControlMessage): void {
    if (this.#ended) return
    const { attempts, leases } = this.#needs
    switch (kind.case) {
      case 'welcome':
        this.#greet(kind.value)
        break
      case 'assign':
        leases.begin(kind.value.fence, this.#heardAt)
        attempts.assign(kind.value)
        break
      case 'cancel':
        attempts.cancel(kind.value.fence, kind.value.reason)
        break
      case 'logAck':
        attempts.acknowledgeLines(kind.value.fence, Number(kind.value.nextLine))
        break
      case 'finishAck':
        attempts.acknowledgeFinish(kind.value.fence)
        break
      case 'heartbeatAck':
        this.#accept(Number(kind.value.sequence), kind.value.lost)
        break
      case 'drain':
        this.#needs.drainAsked()
        break
      case 'workspaceOver':
        this.#needs.workspaceOver(kind.value)
        break
      case undefined:
        this.#needs.log.warn('a message of the control plane is not understood; is this runner older than it?')
        break
    }
  }

  #greet(welcome: Welcome): void {
    const { attempts, leases } = this.#needs
    this.#welcome = welcome
    leases.grant(welcome.leaseSeconds)
    const resumed = new Set(welcome.resume.map(({ fence }) => fence))
    // Attempts that the welcome does not name are lost as well.
    const lost = attempts.fences().filter((fence) => !resumed.has(fence))
    this.#lose(lost)
    for (const { fence, nextLine } of welcome.resume) {
      leases.begin(fence, this.#heardAt)
      attempts.resume(fence, Number(nextLine))
    }
    if (this.#draining) this.#announceDrain()
    else this.#beat()
    this.wake()
  }

  #accept(sequence: number, lost: readonly bigint[]): void {
    this.#heardAt = this.#needs.leases.accept(sequence, lost) ?? this.#heardAt
    this.#lose(lost)
    if (this.#drainSettled || this.#drainSequence === undefined || sequence < this.#drainSequence) return
    this.#drainSettled = true
    this.#needs.drainAdvanced()
  }

  #lose(fences: readonly bigint[]): void {
    const { attempts, leases, log } = this.#needs
    for (const fence of fences) {
      log.warn('the lease of an attempt has ended; its processes are killed', { fence })
      leases.end(fence)
    }
    attempts.lose(fences)
  }

  // The heartbeat behind it comes back when the control plane has read it: no assignment can follow.
  #announceDrain(): void {
    this.#send({ case: 'draining', value: {} })
    this.#drainSequence = this.#beat()
  }

  #beat(): number {
    const { time, leases, attempts } = this.#needs
    const heartbeatMs = Math.max(50, (this.#welcome?.heartbeatSeconds ?? 3) * 1000)
    const now = time.monotonic()
    const fences = attempts.fences()
    const sequence = leases.send(fences, now)
    this.#send({ case: 'heartbeat', value: { sequence: BigInt(sequence), fences } })
    this.#timer.stop()
    this.#timer = time.after(heartbeatMs, () => {
      const since = leases.unansweredSince
      if (since !== undefined && time.monotonic() - since >= SILENT_HEARTBEATS * heartbeatMs) {
        this.close(`The gateway has not answered ${SILENT_HEARTBEATS} heartbeats.`)
      } else this.#beat()
    })
    return sequence
  }

  #pump(): void {
    while (this.#writable && !this.#ended) {
      const message = this.#needs.attempts.nextMessage()
      if (message === undefined) return
      this.#send(message)
    }
  }

  #send(kind: OutgoingMessage): void {
    if (this.#ended) return
    this.#writable = this.#stream.write(create(RunnerMessageSchema, { kind }))
  }

  #end(code: number, reason: string): void {
    if (this.#ended) return
    this.#ended = true
    this.#timer.stop()
    this.#needs.leases.disconnect()
    this.#stream.cancel()
    this.#done({ welcomed: this.#welcome !== undefined, code, reason })
  }
}
