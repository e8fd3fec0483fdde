import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type House, startHouse } from '../house/house.ts'
import { deliverPush, makeTeam, type Team } from '../house/team.ts'

/** A hostile peer's play with bytes and time; no HTTP client could send any of these. */
describe('raw sockets', () => {
  let house: House
  let team: Team
  before(async () => {
    house = await startHouse({ env: { WEBHOOK_BODY_LIMIT: String(64 * 1024), BODY_LIMIT: String(64 * 1024) } })
    team = await makeTeam(house.api, 'acme')
  })
  after(() => house.stop())

  const ingress = (): string => `/v1/git/webhooks/${team.sourceId}`
  const ready = async (): Promise<number> => (await fetch(`${house.url}/healthz`)).status

  /** Sends the parts one after another and answers all that comes until the server ends the connection. */
  async function talk(...parts: (string | Buffer)[]): Promise<string> {
    const socket = await dial()
    const received = collect(socket)
    for (const part of parts) if (socket.writable) socket.write(part)
    return received
  }

  async function dial(): Promise<Socket> {
    const socket = connect(Number(new URL(house.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.once('connect', resolve))
    return socket
  }

  function collect(socket: Socket): Promise<string> {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    return new Promise((resolve) => socket.once('close', () => resolve(Buffer.concat(chunks).toString())))
  }

  const unreadable: readonly (readonly [string, string, number])[] = [
    ['garbage', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 400],
    ['a path with raw bytes', 'GET /\u00ff\u0001 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['no host', 'GET /livez HTTP/1.1\r\n\r\n', 400],
    ['two lengths', 'POST /v1/teams HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd', 400],
    [
      'length and chunks',
      'POST /v1/teams HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a wrong chunked coding',
      'POST /v1/teams HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a folded header', 'GET /livez HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\nY\u0000: c\r\n\r\n', 400],
    ['a head of 40 KB', `GET /livez HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['an address of 40 KB', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ]
  for (const [what, bytes, status] of unreadable) {
    test(`${what} is ${status}, a problem, and the end of the connection`, async () => {
      const answer = await talk(Buffer.from(bytes, 'latin1'))
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
      if (what !== 'no host') assert.match(answer, /content-type: application\/problem\+json/)
      assert.match(answer, /connection: close/i)
      assert.equal(await ready(), 200)
    })
  }

  test('garbage behind a good request ends the connection, and its 400 stands between no bytes of an answer', async () => {
    const answer = await talk('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n', 'garbage that is no request\r\n\r\n')
    const statuses = [...answer.matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => status).join(' ')
    assert.ok(['200', '400', '200 400'].includes(statuses), answer)
  })

  for (const path of ['/v1/teams', 'ingress']) {
    const head = (rest: string): string =>
      `POST ${path === 'ingress' ? ingress() : path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
      `Authorization: Bearer ${house.api.token}\r\n${rest}\r\n\r\n`

    test(`${path}: chunks without end are cut at the limit with 413`, async () => {
      // Elsewhere just over the limit: an answer is lost where the server closes while more is on its way.
      const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
      const length = path === 'ingress' ? 1000 : 17
      const answer = await talk(head('Transfer-Encoding: chunked'), ...Array.from({ length }, () => chunk))
      assert.match(answer, /^HTTP\/1.1 413 /)
      assert.match(answer, /payload_too_large/)
    })

    test(`${path}: a length over the limit is 413 before the body is sent`, async () => {
      // The body is never sent: a server that waited for it would answer 408 in the end.
      const answer = await talk(head('Content-Length: 99999999\r\nConnection: close'))
      assert.match(answer, /^HTTP\/1.1 413 /)
    })

    test(`${path}: a sender that goes away in the middle is nothing to log an error about`, async () => {
      const known = errorsIn(house.output()).length
      for (let at = 0; at < 20; at++) {
        const socket = await dial()
        socket.write(head('Content-Length: 1000') + '{"path":')
        await new Promise((resolve) => setImmediate(resolve))
        socket.resetAndDestroy()
      }
      assert.equal(await ready(), 200)
      assert.deepEqual(errorsIn(house.output()).slice(known), [])
    })
  }

  test('a compressed body is refused without being unpacked', async () => {
    const body = Buffer.alloc(2000, 0x1f)
    const signature = createHmac('sha256', team.webhookSecret).update(body).digest('hex')
    const response = await fetch(`${house.url}${ingress()}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'x-github-event': 'push',
        'x-github-delivery': crypto.randomUUID(),
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
    })
    assert.ok([400, 415].includes(response.status), String(response.status))
  })

  test('200 connections that send a byte now and then do not keep others waiting, and are cut', async () => {
    const slow = new Set<Socket>()
    const ends: Promise<unknown>[] = []
    let areReplaced = true
    /** One slow connection; where it is cut while others are served, another one takes its place. */
    const begin = async (at: number): Promise<void> => {
      const socket = await dial()
      slow.add(socket)
      const end = collect(socket).then(() => {
        slow.delete(socket)
        return areReplaced ? begin(at) : undefined
      })
      ends.push(end)
      socket.write(
        at % 2 === 0
          ? 'GET /livez HTTP/1.1\r\nX-Slow: a'
          : `POST ${ingress()} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      )
    }
    await Promise.all(Array.from({ length: 200 }, (_, at) => begin(at)))
    const drip = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write('a')
    }, 1000)
    try {
      for (let at = 0; at < 50; at++) {
        const { status } = await deliverPush(house.api, team, 'https://git.example/acme/shop.git', {
          before: '1'.repeat(40),
          after: '2'.repeat(40),
        })
        assert.equal(status, 200)
      }
      assert.ok(slow.size > 0, 'all were answered while the slow ones went on')
      // The drip never ends by itself.
      areReplaced = false
      while (ends.length > 0) await Promise.all(ends.splice(0))
      assert.equal(slow.size, 0)
      assert.equal(await ready(), 200)
      assert.deepEqual(errorsIn(house.output()), [])
    } finally {
      areReplaced = false
      clearInterval(drip)
      for (const socket of slow) socket.destroy()
    }
  })
})

function errorsIn(output: string): string[] {
  return output.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line))
}
