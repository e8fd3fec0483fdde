import { once } from 'node:events'
import { createServer, request } from 'node:http'

export interface BearerProxy {
  readonly url: string
  close(): void
}

/** Passes requests on to a house with a token: official programs that prove the protocol send none. */
export async function startBearerProxy(house: string, token: string): Promise<BearerProxy> {
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const passed = request(new URL(incoming.url ?? '/', house), { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      // A stream of events is heard of before its first event.
      response.flushHeaders()
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1/mcp`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
