import { Agent, request } from 'node:http'

/** A request as bytes: what `fetch` would refuse to send or put right. */
export interface RawRequest {
  readonly method: string
  /** Sent as it is. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Empty for a stream of events, which has no end. */
  readonly body: string
}

export interface RawClient {
  send(raw: RawRequest): Promise<RawAnswer>
  close(): void
}

const TIMEOUT_MS = 180_000

export function createRawClient(url: string): RawClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const { hostname, port } = new URL(url)
  return {
    send: (raw) =>
      new Promise((resolve, reject) => {
        const { method, path, body } = raw
        // Node sends a DELETE's body without saying how long it is.
        const headers = { ...raw.headers, ...(body ? { 'content-length': String(body.length) } : {}) }
        const outgoing = request({ agent, hostname, port, method, path, headers, timeout: TIMEOUT_MS })
        outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)))
        outgoing.on('error', reject)
        outgoing.on('response', (response) => {
          const status = response.statusCode ?? 0
          if (response.headers['content-type']?.startsWith('text/event-stream')) {
            response.destroy()
            resolve({ status, headers: response.headers, body: '' })
            return
          }
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({ status, headers: response.headers, body: Buffer.concat(chunks).toString() }),
          )
        })
        outgoing.end(body)
      }),
    close: () => agent.destroy(),
  }
}
