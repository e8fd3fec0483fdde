import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createDeliverer, preparePushes } from '../house/deliverer.ts'
import { type House, startHouse } from '../house/house.ts'
import { createRawClient, type RawAnswer, type RawClient } from '../house/raw-http.ts'
import { makeTeam, type Team } from '../house/team.ts'

const MIB = 1024 * 1024

/** Bodies made to fill memory or to keep a processor busy, against the limits that a new installation has. */
describe('hostile bodies', () => {
  let house: House
  let team: Team
  let client: RawClient
  before(async () => {
    house = await startHouse()
    team = await makeTeam(house.api, 'acme')
    client = createRawClient(house.url)
  })
  after(async () => {
    client.close()
    await house.stop()
  })

  const path = (): string => `/v1/git/webhooks/${team.sourceId}`

  function headersOf(body: Buffer, secret = team.webhookSecret): Record<string, string> {
    return {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    }
  }

  const post = (body: Buffer, headers: Record<string, string> = {}): Promise<RawAnswer> =>
    client.send({ method: 'POST', path: path(), headers: { ...headersOf(body), ...headers }, body })

  /** A good delivery is taken: the requests before it have used up none of its room. */
  async function expectUnharmed(): Promise<void> {
    const deliverer = createDeliverer(house.url, team, 1)
    const [push] = preparePushes(team, 1)
    assert.equal(push && (await deliverer.send(push)).status, 200)
    deliverer.close()
  }

  async function dial(head: string): Promise<Socket> {
    const socket = connect(Number(new URL(house.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`POST ${path()} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${head}\r\n\r\n`)
    return socket
  }

  /** All that comes until the server ends the connection. */
  async function untilClosed(socket: Socket): Promise<string> {
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    // A server that has closed answers further bytes by a reset, which does not matter after the answer.
    await new Promise((resolve) => socket.once('close', resolve))
    return text
  }

  const memory = (): number =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${house.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

  test('26 MiB with a length are 413 before any of them is sent, and the connection ends', async () => {
    const answer = await untilClosed(await dial(`content-length: ${26 * MIB}`))
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.match(answer, /connection: close/i)
    await expectUnharmed()
  })

  test('40 MiB in chunks from eight senders at once are cut at the limit, and memory holds no more than its share', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const send = async (): Promise<string> => {
      const socket = await dial('transfer-encoding: chunked')
      const closed = untilClosed(socket)
      for (let at = 0; at < 640 && socket.writable; at += 1) {
        if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
      }
      return closed
    }
    const answers = await Promise.all(Array.from({ length: 8 }, send))
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 (413|503) /)
    assert.ok(
      answers.some((answer) => answer.includes('413')),
      answers.join('\n'),
    )
    // One source may hold 128 MiB of bodies at a time.
    assert.ok(memory() < 600, `${memory()} MB`)
    await expectUnharmed()
  })

  test('a length that lies, in either direction, harms nobody', async () => {
    const more = await dial('content-length: 1000')
    more.end('{"ref":')
    await untilClosed(more)
    const less = await dial('content-length: 10')
    less.write('{"ref":"x"}, and more that is no request\r\n\r\n')
    assert.match(await untilClosed(less), /HTTP\/1\.1 400 /)
    await expectUnharmed()
  })

  const bombs: readonly (readonly [string, () => Buffer, RegExp, Record<string, string>?])[] = [
    [
      '64 MiB in 64 KiB of gzip',
      () => gzipSync(Buffer.alloc(64 * MIB)),
      /uncompressed/,
      { 'content-encoding': 'gzip' },
    ],
    ['a million nested lists', () => Buffer.from(`{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}`), /levels deep/],
    ['a million objects, one in the other', () => Buffer.from('{"a":'.repeat(1e6)), /levels deep/],
    [
      'a million keys',
      () => Buffer.from(`{${Array.from({ length: 1e6 }, (_, at) => `"k${at}":1`).join(',')}}`),
      /more than/,
    ],
    ['ten million values', () => Buffer.from(`{"a":[${'1,'.repeat(1e7)}1]}`), /more than/],
    ['24 MiB of escapes', () => Buffer.from(`{"a":"${'\\"'.repeat(12 * MIB)}`), /not valid JSON/],
    ['keys that would reach a prototype', () => Buffer.from('{"__proto__":{"x":1},"constructor":{}}'), /repository/],
  ]
  for (const [what, make, words, headers] of bombs) {
    test(`${what}: 400, rightly signed as it is`, async () => {
      const answer = await post(make(), headers)
      assert.equal(answer.status, 400, answer.body)
      assert.match(answer.body, words)
      await expectUnharmed()
    })
  }

  test('a thousand forgeries of 200 KB are refused, their records are few, and none of their payloads is kept', async () => {
    const body = Buffer.alloc(200_000, 'x')
    const startedAt = performance.now()
    const forge = () => client.send({ method: 'POST', path: path(), headers: headersOf(body, 'another secret'), body })
    const answers = await Promise.all(Array.from({ length: 1000 }, forge))
    assert.ok(answers.every(({ status }) => status === 401 || status === 429))
    await expectUnharmed()
    interface Listed {
      readonly id: string
      readonly verification: string
    }
    const listed = await house.api.get<Listed[]>(`/v1/git-webhook-sources/${team.sourceId}/deliveries?limit=500`)
    const forged = listed.filter(({ verification }) => verification === 'mismatch')
    // So many at once, and as many again in each minute.
    const minutes = (performance.now() - startedAt) / 60_000
    assert.ok(forged.length > 0 && forged.length <= 61 + 60 * minutes, `${forged.length} are recorded`)
    const address = `/v1/git-webhook-sources/${team.sourceId}/deliveries/${forged[0]?.id}`
    assert.equal((await house.api.get<{ payload: unknown }>(address)).payload, null)
  })

  test('nobody logged an error, and memory stayed bounded', () => {
    const errors = house.output().split('\n')
    assert.deepEqual(
      errors.filter((line) => /"level":"(error|fatal)"/.test(line)),
      [],
    )
    assert.ok(memory() < 800, `${memory()} MB`)
  })
})
