import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Problem } from '#platform/problems'
import { systemClock } from '#platform/time'
import { createFairShares } from './fair-shares.ts'
import { readBody } from './read-body.ts'

describe('bodies that are read at the same time', () => {
  const bytes = createFairShares(300)
  const server = createServer((message, response) => {
    readBody(message, 1_000_000, { holder: 'source' }, { bytes, clock: systemClock }).then(
      (body) => response.end(String(body.length)),
      (error: unknown) => {
        if (!(error instanceof Problem)) return response.writeHead(500).end()
        return response.writeHead(error.status, error.headers).end()
      },
    )
  })
  let url = ''
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const post = async (size = 100) => {
    const response = await fetch(url, { method: 'POST', body: 'x'.repeat(size), headers: { connection: 'close' } })
    return [response.status, await response.text(), response.headers.get('retry-after')]
  }

  test('may hold so many bytes together: one more is 503, and what is done makes room', async () => {
    assert.equal(bytes.take('another', 250), true, 'another request is sending')
    assert.deepEqual(await post(), [503, '', '1'])
    bytes.giveBack('another', 250)
    assert.deepEqual(await post(), [200, '100', null])
    assert.equal(bytes.take('another', 300), true, 'everything was given back')
    bytes.giveBack('another', 300)
  })

  test('one holder leaves some for the others', async () => {
    while (bytes.take('greedy', 10));
    assert.deepEqual(await post(50), [200, '50', null])
    bytes.giveBack('greedy', 150)
  })
})

describe('who sends far more than the limit, and reads only then', () => {
  // Bytes that are still sent are thrown away for some seconds, which a busy machine may need for itself.
  const patient = { ...systemClock, after: (ms: number, work: () => void) => systemClock.after(ms * 20, work) }
  const reading = { bytes: createFairShares(1_000_000), clock: patient }
  const server = createServer((message, response) => {
    readBody(message, 1000, { holder: 'source' }, reading).catch((error: unknown) => {
      response.writeHead(error instanceof Problem ? error.status : 500, { connection: 'close' }).end()
    })
  })
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Simple clients read nothing before everything is written. */
  async function sendAll(head: string, part: string, parts: number): Promise<string> {
    const address = server.address()
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    let text = ''
    socket.pause()
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`)
    for (let at = 0; at < parts && socket.writable; at += 1) {
      if (!socket.write(part)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
    socket.on('data', (chunk) => (text += chunk.toString())).resume()
    await closed
    return text
  }

  test('is told so, with a length', async () => {
    for (let round = 0; round < 5; round += 1) {
      assert.match(await sendAll('content-length: 16000000', 'x'.repeat(20_000), 800), /^HTTP\/1\.1 413 /)
    }
  })

  test('is told so, in chunks', async () => {
    for (let round = 0; round < 5; round += 1) {
      const chunk = `4e20\r\n${'x'.repeat(20_000)}\r\n`
      assert.match(await sendAll('transfer-encoding: chunked', chunk, 800), /^HTTP\/1\.1 413 /)
    }
  })
})
