import type { ChannelCredentials, ClientDuplexStream } from '@grpc/grpc-js'
import { Client, Metadata } from '@grpc/grpc-js'
import type { ControlMessage, EnrollRequest, EnrollResponse, RunnerMessage } from '@signalbox/contracts/runner'
import { runnerGatewayDefinition } from '@signalbox/contracts/runner'
import type { GatewayAddress } from './address.ts'
import { channelOptions } from './address.ts'

export type ControlStream = ClientDuplexStream<RunnerMessage, ControlMessage>

/** A channel to the gateway, for one call. */
export class GatewayClient implements Disposable {
  readonly #client: Client

  constructor(address: GatewayAddress, credentials: ChannelCredentials) {
    this.#client = new Client(address.target, credentials, channelOptions(address))
  }

  /** Exchanges an enrolment token. Rejects with gRPC's ServiceError. */
  enroll(request: EnrollRequest, deadlineMs: number): Promise<EnrollResponse> {
    const { path, requestSerialize, responseDeserialize } = runnerGatewayDefinition.enroll
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        new Metadata(),
        { deadline: deadlineMs },
        (error, response) => {
          if (error !== null) reject(error)
          else if (response === undefined) reject(new Error('The gateway answered nothing.'))
          else resolve(response)
        },
      )
    })
  }

  connect(credential: string): ControlStream {
    const { path, requestSerialize, responseDeserialize } = runnerGatewayDefinition.connect
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${credential}`)
    return this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata)
  }

  [Symbol.dispose](): void {
    this.#client.close()
  }
}
