import { EventEmitter, once } from 'node:events'
import { zstdDecompressSync } from 'node:zlib'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { create, fromBinary } from '@bufbuild/protobuf'
import type { ServerDuplexStream, ServerUnaryCall, sendUnaryData, UntypedServiceImplementation } from '@grpc/grpc-js'
import { Server, ServerCredentials, status } from '@grpc/grpc-js'
import type {
  AttemptFinished,
  ControlMessage,
  EnrollRequest,
  EnrollResponse,
  Hello,
  ImageUse,
  LogLine,
  RunnerMessage,
} from '@signalbox/contracts/runner'
import {
  AssignSchema,
  ControlMessageSchema,
  EnrollResponseSchema,
  LogLinesSchema,
  runnerGatewayDefinition,
} from '@signalbox/contracts/runner'
import { freePort } from './free-port.ts'

/** A task in a container takes many steps of its engine, and each of them seconds on a machine with much other work. */
const PATIENCE_MS = 120_000

type Stream = ServerDuplexStream<RunnerMessage, ControlMessage>
export type Assignment = MessageInitShape<typeof AssignSchema>

/** The stored state of one attempt; survives a restart. */
export interface StoredAttempt {
  fence: bigint
  assignment: Assignment
  startedAtMs: number | undefined
  images: readonly Pick<ImageUse, 'service' | 'image' | 'digest'>[]
  /** The reasons to wait that the attempt told; empty: it goes on. */
  readonly waits: string[]
  lines: LogLine[]
  finished: AttemptFinished | undefined
  leaseEnded: boolean
}

let gateways = 0

/**
 * A small gateway that keeps the protocol of runner.proto. Numbered lines are stored once, without gaps, before they
 * are acknowledged, and a fence whose lease has ended is refused. Messages that a runner never heard are told again,
 * and the storage outlives the server.
 */
export class TestGateway {
  readonly attempts = new Map<bigint, StoredAttempt>()
  readonly hellos: Hello[] = []
  readonly heartbeats: number[] = []
  /** Broken promises of the protocol. */
  readonly violations: string[] = []
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly token = 'one-time-token'
  readonly credential = 'runner-credential'
  #tokenSpent = false
  #server: Server | undefined
  #stream: Stream | undefined
  #port = 0
  #draining = false
  /** A runner removes what an engine has of its id: two beside each other need two. */
  readonly runnerId = `runner-${++gateways}`
  leaseSeconds = 15
  heartbeatSeconds = 3
  /** While false nothing is acknowledged. */
  acknowledges = true

  get url(): string {
    return `127.0.0.1:${this.#port}`
  }

  get connected(): boolean {
    return this.#stream !== undefined
  }

  get runnerDraining(): boolean {
    return this.#draining
  }

  /** The methods, for a server that is not this gateway's own. */
  get implementation(): UntypedServiceImplementation {
    return {
      enroll: (call: ServerUnaryCall<EnrollRequest, EnrollResponse>, answer: sendUnaryData<EnrollResponse>) => {
        if (call.request.token !== this.token || this.#tokenSpent) {
          answer({ code: status.UNAUTHENTICATED, details: 'the token is unknown or spent' })
          return
        }
        this.#tokenSpent = true
        answer(null, create(EnrollResponseSchema, { runnerId: this.runnerId, credential: this.credential }))
      },
      connect: (stream: Stream) => this.#connect(stream),
    }
  }

  /** Listens, on the same port as before. */
  async start(): Promise<void> {
    const server = new Server()
    server.addService(runnerGatewayDefinition, this.implementation)
    if (this.#port === 0) this.#port = await freePort()
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(this.url, ServerCredentials.createInsecure(), (error) => {
        if (error !== null) reject(error)
        else resolve()
      })
    })
    this.#server = server
  }

  /** Ends at once, as a killed process does. */
  kill(): void {
    this.#server?.forceShutdown()
    this.#server = undefined
    this.#stream = undefined
  }

  /** Ends the runner's stream; the server stays. */
  cut(): void {
    this.#stream?.emit('error', { code: status.UNAVAILABLE, details: 'the stream was cut' })
  }

  assign(assignment: Assignment & { fence: bigint }): StoredAttempt {
    const attempt: StoredAttempt = {
      fence: assignment.fence,
      assignment,
      startedAtMs: undefined,
      images: [],
      waits: [],
      lines: [],
      finished: undefined,
      leaseEnded: false,
    }
    this.attempts.set(assignment.fence, attempt)
    this.send(assignOf(assignment))
    return attempt
  }

  /** Sends an assignment once more, as after a lost message. */
  resend(fence: bigint): void {
    const attempt = this.attempts.get(fence)
    if (attempt !== undefined) this.send(assignOf(attempt.assignment))
  }

  send(kind: NonNullable<MessageInitShape<typeof ControlMessageSchema>['kind']>): void {
    this.#stream?.write(create(ControlMessageSchema, { kind }))
  }

  /** Ends a lease, as the control plane does with a silent runner. */
  endLease(fence: bigint): void {
    const attempt = this.attempts.get(fence)
    if (attempt !== undefined) attempt.leaseEnded = true
  }

  /** From now on: the runner is told at a greeting, so that what is to run first does not depend on so short a lease. */
  async shortenLease(seconds: number): Promise<void> {
    const greeted = this.hellos.length
    this.leaseSeconds = seconds
    this.cut()
    await this.until(() => this.hellos.length > greeted, 'a greeting that tells the shorter lease')
  }

  /** Resolves as soon as `condition` holds; it is asked after each message. */
  async until(condition: () => boolean, what: string, timeoutMs = PATIENCE_MS): Promise<void> {
    const limit = AbortSignal.timeout(timeoutMs)
    while (!condition()) {
      try {
        await once(this.#events, 'change', { signal: limit })
      } catch {
        throw new Error(`The gateway waited in vain: ${what}. It has seen ${this.#seen()}.`)
      }
    }
  }

  #seen(): string {
    const attempts = [...this.attempts.values()].map(
      ({ fence, startedAtMs, lines, finished }) =>
        `attempt ${fence}: ${finished ? 'finished' : startedAtMs === undefined ? 'not started' : 'started'}, ${lines.length} lines`,
    )
    return [`${this.hellos.length} greetings`, `${this.heartbeats.length} heartbeats`, ...attempts].join('; ')
  }

  async connectedRunner(): Promise<void> {
    await this.until(() => this.connected, 'a runner connects')
  }

  /** The engine answers the runner, too: a slow engine is found later than the control plane. */
  async connectedEngine(): Promise<void> {
    await this.until(() => this.hellos.at(-1)?.executors.includes('container') === true, 'an engine is announced')
  }

  async finished(fence: bigint): Promise<AttemptFinished> {
    await this.until(() => this.attempts.get(fence)?.finished !== undefined, `attempt ${fence} finishes`)
    const finished = this.attempts.get(fence)?.finished
    if (finished === undefined) throw new Error('unreachable')
    return finished
  }

  texts(fence: bigint, stream?: string): string[] {
    const lines = this.attempts.get(fence)?.lines ?? []
    return lines.filter((line) => stream === undefined || line.stream === stream).map((line) => line.text)
  }

  #connect(stream: Stream): void {
    if (stream.metadata.get('authorization')[0] !== `Bearer ${this.credential}`) {
      stream.emit('error', { code: status.UNAUTHENTICATED, details: 'the credential is unknown' })
      return
    }
    stream.on('data', ({ kind }: RunnerMessage) => {
      this.#receive(stream, kind)
      this.#events.emit('change')
    })
    const ended = () => {
      if (this.#stream === stream) this.#stream = undefined
      this.#events.emit('change')
    }
    stream.on('end', ended).on('cancelled', ended).on('close', ended).on('error', ended)
  }

  #receive(stream: Stream, kind: RunnerMessage['kind']): void {
    const reply = (answer: NonNullable<MessageInitShape<typeof ControlMessageSchema>['kind']>) =>
      stream.write(create(ControlMessageSchema, { kind: answer }))
    if (kind.case === 'hello') {
      this.#greet(stream, kind.value)
      return
    }
    if (this.#stream !== stream) {
      this.violations.push(`${kind.case} before hello`)
      return
    }
    switch (kind.case) {
      case 'heartbeat': {
        this.heartbeats.push(performance.now())
        const lost = kind.value.fences.filter((fence) => this.attempts.get(fence)?.leaseEnded !== false)
        if (this.acknowledges) reply({ case: 'heartbeatAck', value: { sequence: kind.value.sequence, lost } })
        break
      }
      case 'draining':
        this.#draining = true
        break
      case 'waiting': {
        const attempt = this.attempts.get(kind.value.fence)
        if (attempt !== undefined) attempt.waits.push(kind.value.reason)
        break
      }
      case 'started': {
        const attempt = this.attempts.get(kind.value.fence)
        if (attempt !== undefined && !attempt.leaseEnded) {
          attempt.startedAtMs = Number(kind.value.startedAtMs)
          attempt.images = kind.value.images.map(({ service, image, digest }) => ({ service, image, digest }))
        }
        break
      }
      case 'log': {
        const { fence, firstLine, lineCount, linesZstd } = kind.value
        const attempt = this.attempts.get(fence)
        if (attempt === undefined || attempt.leaseEnded) break
        const { lines } = fromBinary(LogLinesSchema, zstdDecompressSync(linesZstd))
        if (lines.length !== lineCount) this.violations.push('line_count is not the number of lines')
        const first = Number(firstLine)
        if (first > attempt.lines.length) this.violations.push(`gap: line ${first} after ${attempt.lines.length}`)
        attempt.lines.push(...lines.slice(attempt.lines.length - first))
        if (this.acknowledges) {
          reply({ case: 'logAck', value: { fence, nextLine: BigInt(attempt.lines.length) } })
        }
        break
      }
      case 'finished': {
        const attempt = this.attempts.get(kind.value.fence)
        if (attempt === undefined || attempt.leaseEnded) break
        if (Number(kind.value.lineCount) !== attempt.lines.length) {
          this.violations.push(`finished with ${kind.value.lineCount} lines, stored ${attempt.lines.length}`)
        }
        attempt.finished ??= kind.value
        if (this.acknowledges) reply({ case: 'finishAck', value: { fence: kind.value.fence } })
        break
      }
      case undefined:
        this.violations.push('an empty message')
    }
  }

  #greet(stream: Stream, hello: Hello): void {
    this.#stream = stream
    this.hellos.push(hello)
    const held: StoredAttempt[] = []
    const lost: bigint[] = []
    for (const { fence } of hello.attempts) {
      const attempt = this.attempts.get(fence)
      if (attempt === undefined || attempt.leaseEnded) lost.push(fence)
      else held.push(attempt)
    }
    const { runnerId, leaseSeconds, heartbeatSeconds } = this
    const resume = held.map(({ fence, lines }) => ({ fence, nextLine: BigInt(lines.length) }))
    const welcome = { runnerId, leaseSeconds, heartbeatSeconds, resume, lost }
    stream.write(create(ControlMessageSchema, { kind: { case: 'welcome', value: welcome } }))
    const heardOf = new Set([...hello.attempts.map(({ fence }) => fence), ...hello.begun])
    for (const attempt of this.attempts.values()) {
      if (heardOf.has(attempt.fence) || !isUnheardOf(attempt)) continue
      stream.write(create(ControlMessageSchema, { kind: assignOf(attempt.assignment) }))
    }
  }
}

const isUnheardOf = ({ startedAtMs, lines, finished, leaseEnded }: StoredAttempt): boolean =>
  startedAtMs === undefined && lines.length === 0 && finished === undefined && !leaseEnded

const assignOf = (assignment: Assignment) => {
  const names = { attemptId: 'a', runId: 'r', pipeline: 'acme/build', step: 's', task: 't', attempt: 1 }
  return {
    case: 'assign',
    value: create(AssignSchema, { ...names, noCheckout: assignment.checkout === undefined, ...assignment }),
  } as const
}
