import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections on which no request has begun. Browsers and fetch open some ahead of need; Node counts them neither as
 * idle nor as busy, and a stop would wait for them to the end of its grace.
 */
export function watchSilentConnections(server: Server): { destroy(): void } {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', (request) => silent.delete(request.socket))
  return {
    destroy() {
      for (const socket of silent) socket.destroy()
    },
  }
}
