import {
  logVerbosity,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'

import type { Clock } from '#platform/time'

/** One gRPC service that a room contributes. */
export interface GrpcService {
  readonly definition: ServiceDefinition
  readonly implementation: UntypedServiceImplementation
}

export interface GrpcServer {
  listen(host: string, port: number): Promise<number>
  /** Ends streams politely for at most `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>
}

export interface GrpcTls {
  readonly certificateChain: Buffer
  readonly privateKey: Buffer
}

const MAX_MESSAGE = 8 * 1024 * 1024

/** TLS outside loopback is the caller's duty; the house refuses to start without it. */
export function createGrpcServer(services: readonly GrpcService[], tls: GrpcTls | undefined, clock: Clock): GrpcServer {
  // Its errors reach us as errors; a second telling on stderr would be no JSON.
  setLogVerbosity(logVerbosity.NONE)
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE,
    // A half-open connection is noticed within 15 s, before a lease ends.
    'grpc.keepalive_time_ms': 5000,
    'grpc.keepalive_timeout_ms': 5000,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.so_reuseport': 0,
  })
  for (const service of services) server.addService(service.definition, service.implementation)
  const credentials = tls
    ? ServerCredentials.createSsl(null, [{ cert_chain: tls.certificateChain, private_key: tls.privateKey }])
    : ServerCredentials.createInsecure()
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
        server.bindAsync(address, credentials, (error, bound) => (error ? reject(error) : resolve(bound)))
      }),
    close: (graceMs) =>
      new Promise((resolve) => {
        const cut = clock.after(graceMs, () => server.forceShutdown())
        server.tryShutdown(() => {
          cut.cancel()
          resolve()
        })
      }),
  }
}
