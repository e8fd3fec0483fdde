import type { DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import { RunnerGateway } from './generated/runner_pb.ts'

/** One method as `@grpc/grpc-js` wants it; structural, so that this package need not depend on that one. */
export interface GatewayMethod<
  Request extends DescMessage,
  Response extends DescMessage,
  RequestStream extends boolean,
  ResponseStream extends boolean,
> {
  readonly path: string
  readonly requestStream: RequestStream
  readonly responseStream: ResponseStream
  readonly requestSerialize: (message: MessageShape<Request>) => Buffer
  readonly requestDeserialize: (bytes: Uint8Array) => MessageShape<Request>
  readonly responseSerialize: (message: MessageShape<Response>) => Buffer
  readonly responseDeserialize: (bytes: Uint8Array) => MessageShape<Response>
}

type MethodOf<Request extends DescMessage, Response extends DescMessage> = DescMethod & {
  readonly input: Request
  readonly output: Response
}

// gRPC frames call Buffer's own `copy`, so a plain Uint8Array will not do. The memory is shared, not copied.
function encode<Desc extends DescMessage>(desc: Desc, message: MessageShape<Desc>): Buffer {
  const bytes = toBinary(desc, message)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function define<
  Request extends DescMessage,
  Response extends DescMessage,
  RequestStream extends boolean,
  ResponseStream extends boolean,
>(
  method: MethodOf<Request, Response>,
  requestStream: RequestStream,
  responseStream: ResponseStream,
): GatewayMethod<Request, Response, RequestStream, ResponseStream> {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream,
    responseStream,
    requestSerialize: (message) => encode(method.input, message),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    responseSerialize: (message) => encode(method.output, message),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  }
}

/** The service `RunnerGateway` of runner.proto, for `server.addService` and for a client's generic calls. */
export const runnerGatewayDefinition = {
  enroll: define(RunnerGateway.method.enroll, false, false),
  connect: define(RunnerGateway.method.connect, true, true),
} as const
