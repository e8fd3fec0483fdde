import type { RequestListener } from 'node:http'
import { createServer, type Server, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { KeptCertificate } from './keep-certificate.ts'

/** A client that does not finish its handshake, or sends nothing at all, is cut. */
const HANDSHAKE_TIMEOUT_MS = 15_000
/** The first byte of a TLS handshake; no request of HTTP begins with it. */
const HANDSHAKE = 0x16
const MODERN = { minVersion: 'TLSv1.2', honorCipherOrder: true } as const

/**
 * A server of HTTP over TLS 1.2 and 1.3. A renewed certificate is for new connections; open ones keep theirs. Plain
 * HTTP gets `answerPlain`, as bytes, instead of a connection that ends without a word.
 */
export function createSecureServer(
  certificate: KeptCertificate,
  options: Pick<ServerOptions, 'connectionsCheckingInterval' | 'requestTimeout'>,
  answerPlain: () => string,
  listener: RequestListener,
): Server {
  const { chain, key } = certificate.current()
  const tls = { ...MODERN, cert: chain, key, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }
  const server = createServer({ ...options, ...tls }, listener)
  certificate.onChange((next) => server.setSecureContext({ ...MODERN, cert: next.chain, key: next.key }))
  refusePlain(server, answerPlain)
  return server
}

/** Looks at the first byte of each connection before TLS does. */
function refusePlain(server: Server, answerPlain: () => string): void {
  const [toTls] = server.listeners('connection')
  if (toTls === undefined) throw new Error('The TLS server does not take connections.')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const cut = (): void => void socket.destroy()
    socket.setTimeout(HANDSHAKE_TIMEOUT_MS, cut)
    socket.on('error', cut)
    socket.once('data', (first) => {
      socket.setTimeout(0)
      socket.off('timeout', cut)
      if (first[0] !== HANDSHAKE) {
        // The client's remaining bytes are read and dropped: closing with unread bytes would take the answer away.
        socket.resume()
        socket.setTimeout(HANDSHAKE_TIMEOUT_MS, cut)
        socket.end(answerPlain())
        return
      }
      socket.off('error', cut)
      socket.pause()
      socket.unshift(first)
      Reflect.apply(toTls, server, [socket])
    })
  })
}
