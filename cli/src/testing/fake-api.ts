import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Handler = (request: SeenRequest, response: ServerResponse) => void

export interface FakeApi extends AsyncDisposable {
  readonly url: string
  readonly seen: SeenRequest[]
}

/** A real HTTP server on loopback; each request is answered by the handler. */
export async function startFakeApi(handle: Handler): Promise<FakeApi> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const arrived = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      seen.push(arrived)
      handle(arrived, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

/** A problem as the API answers it: its detail, or several members. */
export function refuse(response: ServerResponse, status: number, code: string, detail: string | object): void {
  const problem = { type: 'about:blank', title: code, status, code, request_id: 'r1', errors: [] }
  const more = typeof detail === 'string' ? { detail } : detail
  answer(response, status, { ...problem, ...more }, { 'content-type': 'application/problem+json' })
}
