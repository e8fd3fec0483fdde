import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { callForge, walkPages } from './api-client.ts'

/** A provider that answers without an end costs a bounded time and memory, and the reason names what it did. */

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}

const connect = (baseUrl: string, signal = new AbortController().signal) => ({ baseUrl, token: undefined, signal })

describe('a hostile provider', () => {
  for (const status of [200, 403]) {
    test(`with a body of 1 GB after ${status} is cut off while it sends`, async (t) => {
      const chunk = Buffer.alloc(1024 * 1024, 'x')
      let sent = 0
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      const url = await serve(t, (_, response) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        const more = () => {
          while (sent < 1024 && !response.destroyed) {
            sent += 1
            if (!response.write(chunk)) {
              response.once('drain', more)
              return
            }
          }
        }
        response.once('close', resolve)
        more()
      })
      const answer = await callForge(connect(url), { path: '/thing' })
      await closed
      assert.ok(answer.outcome === 'failed')
      assert.match(answer.reason, status === 200 ? /more than 8 MiB/ : /refused the credential/)
      assert.ok(sent < 100, `${sent} MiB were sent`)
    })
  }

  test('that trickles its body ends with the call', async (t) => {
    const ending = new AbortController()
    const url = await serve(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[', () => ending.abort())
    })
    const answer = await callForge(connect(url, ending.signal), { path: '/thing' })
    assert.ok(answer.outcome === 'failed' && answer.retry)
    assert.match(answer.reason, /\(AbortError\)/)
    assert.equal(answer.cause, 'unreachable')
  })

  test('with headers of a megabyte is not read', async (t) => {
    const url = await serve(t, (_, response) => {
      response.writeHead(200, { link: `<${'x'.repeat(1_000_000)}>; rel="next"` }).end('[]')
    })
    const answer = await callForge(connect(url), { path: '/thing' })
    assert.ok(answer.outcome === 'failed')
    assert.match(answer.reason, /could not be reached \(UND_ERR_HEADERS_OVERFLOW\)/)
  })

  test('with pages that never end is left after the bounded number, which the reason names', async (t) => {
    let calls = 0
    const url = await serve(t, (_, response) => {
      calls += 1
      response.writeHead(200, { 'content-type': 'application/json' }).end('["a"]')
    })
    const answer = await walkPages({
      first: '/x?page=1',
      ask: (path) => callForge(connect(url), { path }),
      read: ({ body }) => (Array.isArray(body) ? body : undefined),
      next: (_, { number }) => `/x?page=${number + 1}`,
      most: { pages: 30, beyond: 'fails' },
    })
    assert.ok(answer.outcome === 'failed')
    assert.equal(answer.reason, "The provider's list has more than 30 pages.")
    assert.equal(answer.cause, 'invalid')
    assert.equal(calls, 30)
  })
})
