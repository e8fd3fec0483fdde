import {
  experimental,
  logVerbosity,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'

import type { Clock } from '#platform/time'
import type { KeptCertificate } from '#platform/tls'

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

/** The address in what gRPC calls a peer: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
export function addressOfPeer(peer: string): string {
  return peer.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

type ServedCertificate = Pick<KeptCertificate, 'current' | 'onChange'>

const MAX_MESSAGE = 8 * 1024 * 1024

/** TLS outside loopback is the caller's duty; the house refuses to start without it. */
export function createGrpcServer(
  services: readonly GrpcService[],
  certificate: ServedCertificate | undefined,
  clock: Clock,
): GrpcServer {
  // The errors of gRPC reach us as errors; the copy on stderr would be no JSON.
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
  const credentials = certificate ? secureCredentials(certificate) : ServerCredentials.createInsecure()
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

/** New connections get a renewed certificate; streams that are open keep theirs. No client needs a certificate. */
function secureCredentials(certificate: ServedCertificate): ServerCredentials {
  const updateOf = () => ({ certificate: certificate.current().chain, privateKey: certificate.current().key })
  const identity: experimental.CertificateProvider = {
    addIdentityCertificateListener(listener) {
      certificate.onChange(() => listener(updateOf()))
      // The server that is told of it is added after its listener.
      queueMicrotask(() => listener(updateOf()))
    },
    removeIdentityCertificateListener: () => undefined,
    addCaCertificateListener: () => undefined,
    removeCaCertificateListener: () => undefined,
  }
  return experimental.createCertificateProviderServerCredentials(identity, null, false)
}
