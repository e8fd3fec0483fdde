import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A request of a test to a forge. */
export interface Asked {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls a forge as a careful client does. `line`: `GET https://...`. A body of JSON is read, undefined stands for none. */
export async function ask(line: string, { token, body, headers }: Asked = {}) {
  const [method = 'GET', url = ''] = line.split(' ')
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      'user-agent': 'test',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

export interface Arrived {
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  readonly payload: ReturnType<typeof JSON.parse>
}

/** A place that takes webhooks, and answers them with `status`. */
export async function startReceiver() {
  const arrived: Arrived[] = []
  let status = 202
  const server = createServer(async (request, response) => {
    const raw = await buffer(request)
    arrived.push({ headers: request.headers, raw, payload: JSON.parse(raw.toString('utf8')) })
    response.writeHead(status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    arrived,
    answerWith: (next: number) => void (status = next),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
