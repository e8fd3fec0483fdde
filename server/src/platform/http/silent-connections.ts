import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections on which no request has begun. Browsers and fetch open some ahead of need. Node counts these neither as idle
 * nor as busy: a stop would wait for them to the end of its grace.
 */
export function watchSilentConnections(server: Server): { destroy(): void } {
  const silent = new Map<string, Socket>()
  server.on('connection', (socket) => {
    const peer = peerOf(socket)
    silent.set(peer, socket)
    socket.once('close', () => silent.delete(peer))
  })
  server.on('request', (request) => silent.delete(peerOf(request.socket)))
  return {
    destroy() {
      for (const socket of silent.values()) socket.destroy()
    },
  }
}

/** A request over TLS has a socket of its own, above the accepted one; both have the same peer. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
