import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js'
import {
  type Assign,
  type Cancel,
  type ControlMessage,
  type FinishAck,
  type HeartbeatAck,
  type LogAck,
  Result,
  type RunnerMessage,
  RunnerMessageSchema,
  runnerGatewayDefinition,
  type Welcome,
} from '@signalbox/contracts/runner'
import { until } from '#platform/testing'
import { aRunner, type TestRunner } from '../../../catalog/runners/testing.ts'
import type { ExecutionHouse } from './house.ts'

type Kind = NonNullable<MessageInitShape<typeof RunnerMessageSchema>['kind']>

/** A runner that does exactly what a test tells it to: it speaks the wire and runs nothing. */
export interface Kept {
  readonly runId: string
  readonly step: string
}

export class FakeRunner {
  readonly id: string
  readonly credential: string
  readonly capacity: number
  executors: readonly string[] = ['host']
  readonly received: ControlMessage[] = []
  ended: { code: number; details: string } | undefined
  #client: Client | undefined
  #stream: ClientDuplexStream<RunnerMessage, ControlMessage> | undefined

  constructor(id: string, credential: string, capacity: number) {
    this.id = id
    this.credential = credential
    this.capacity = capacity
  }

  static async enrolled(house: ExecutionHouse, options: TestRunner = {}): Promise<FakeRunner> {
    const { id, credential } = await aRunner(house.kit.database.kysely, options)
    return new FakeRunner(id, credential, options.capacity ?? 4)
  }

  /** Opens a stream and waits for the Welcome (or for the end of the stream). */
  async connect(
    house: ExecutionHouse,
    fences: readonly bigint[] = [],
    begun: readonly bigint[] = [],
    keptWorkspaces: readonly Kept[] = [],
  ): Promise<void> {
    this.leave()
    this.received.length = 0
    this.ended = undefined
    const { path, requestSerialize, responseDeserialize } = runnerGatewayDefinition.connect
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${this.credential}`)
    this.#client = new Client(`127.0.0.1:${house.port}`, credentials.createInsecure())
    const stream = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata)
    this.#stream = stream
    stream.on('data', (message: ControlMessage) => {
      if (this.#stream === stream) this.received.push(message)
    })
    stream.on('error', (error: Error & { code?: number; details?: string }) => {
      if (this.#stream === stream) this.ended = { code: error.code ?? -1, details: error.details ?? error.message }
    })
    this.send({
      case: 'hello',
      value: {
        version: '0',
        capacity: this.capacity,
        executors: [...this.executors],
        labels: [],
        attempts: fences.map((fence) => ({ fence })),
        begun: [...begun],
        keptWorkspaces: [...keptWorkspaces],
      },
    })
    await until(
      'the welcome',
      () => this.ended !== undefined || this.welcomes.length > 0,
      (done) => done,
    )
  }

  send(kind: Kind): void {
    this.#stream?.write(create(RunnerMessageSchema, { kind }))
  }

  // The messages since the stream opened.

  get welcomes(): Welcome[] {
    return this.received.flatMap(({ kind }) => (kind.case === 'welcome' ? [kind.value] : []))
  }

  get assigns(): Assign[] {
    return this.received.flatMap(({ kind }) => (kind.case === 'assign' ? [kind.value] : []))
  }

  get cancels(): Cancel[] {
    return this.received.flatMap(({ kind }) => (kind.case === 'cancel' ? [kind.value] : []))
  }

  get logAcks(): LogAck[] {
    return this.received.flatMap(({ kind }) => (kind.case === 'logAck' ? [kind.value] : []))
  }

  get finishAcks(): FinishAck[] {
    return this.received.flatMap(({ kind }) => (kind.case === 'finishAck' ? [kind.value] : []))
  }

  get workspacesOver(): Kept[] {
    return this.received.flatMap(({ kind }) => {
      if (kind.case !== 'workspaceOver') return []
      const { runId, step } = kind.value
      return [{ runId, step }]
    })
  }

  get heartbeatAcks(): HeartbeatAck[] {
    return this.received.flatMap(({ kind }) => (kind.case === 'heartbeatAck' ? [kind.value] : []))
  }

  /** Waits for the n-th assignment of this stream. */
  async assigned(count = 1): Promise<Assign> {
    const assigns = await until(
      `assignment ${count}`,
      () => this.assigns,
      (all) => all.length >= count,
    )
    const assign = assigns[count - 1]
    if (!assign) throw new Error('No assignment')
    return assign
  }

  start(fence: bigint, images: { service?: string; image: string; digest: string }[] = []): void {
    this.send({ case: 'started', value: { fence, startedAtMs: BigInt(Date.now()), images } })
  }

  wait(fence: bigint, reason: string): void {
    this.send({ case: 'waiting', value: { fence, reason } })
  }

  finish(fence: bigint, result: Result = Result.SUCCESS, outputs: { name: string; value: string }[] = []): void {
    this.send({
      case: 'finished',
      value: { fence, result, reason: result === Result.SUCCESS ? '' : 'it broke', lineCount: 0n, outputs },
    })
  }

  /** Reports that nothing of the task has begun. */
  handBack(fence: bigint): void {
    const reason = 'The engine did not answer.'
    this.send({ case: 'finished', value: { fence, result: Result.LOST, reason, lineCount: 0n, notBegun: true } })
  }

  beat(fences: readonly bigint[], sequence = 1n): void {
    this.send({ case: 'heartbeat', value: { sequence, fences: [...fences] } })
  }

  /** The stream breaks: nothing is said any more. */
  leave(): void {
    this.#stream?.cancel()
    this.#client?.close()
    this.#stream = undefined
    this.#client = undefined
  }
}
