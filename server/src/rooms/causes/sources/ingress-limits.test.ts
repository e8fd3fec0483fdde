import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { createTestClock, createTestDatabase, startOutage, until } from '#platform/testing'
import { aPushPayload, signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aConnectedSource, type Called, deliver, openCauses, patientClock, SECRET } from './testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, {}, { clock: patientClock })
after(() => causes.close())
const db = testDatabase.database.kysely

// The clock stands still: limits by the minute are the same on a slow machine, and nothing waits for too long.
const stillDatabase = await createTestDatabase()
const still = await openCauses(stillDatabase, {}, { clock: createTestClock() })
after(() => still.close())

let made = 0
async function connected(source: Record<string, unknown> = {}, house = causes) {
  made += 1
  return aConnectedSource(house, { name: `source ${made}`, ...source }, { name: `t${made}` })
}

function push(overrides: Partial<Parameters<typeof signPush>[0]> = {}) {
  return signPush({ secret: SECRET, deliveryId: randomUUID(), ...overrides })
}

async function records(sourceId: string, house = causes): Promise<readonly Record<string, unknown>[]> {
  const { text } = await house.call('GET', `/v1/git-webhook-sources/${sourceId}/deliveries?limit=500`)
  return JSON.parse(text)
}

function codes(answers: readonly Called[]): string[] {
  return [...new Set(answers.map(({ status, body }) => `${status} ${body['code']}`))].sort()
}

/** Blocks every statement on deliveries while `work` goes on, so that nothing can be stored. */
async function whileStalled<T>(work: () => Promise<T>, { url } = testDatabase): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table deliveries in access exclusive mode')
    return await work()
  } finally {
    await client.end()
  }
}

describe('forgeries have a limit of their address', () => {
  test('above it they are told to stop, and whatever is rightly signed passes all the same', async () => {
    const { id, url } = await connected({}, still)
    const other = await connected({}, still)
    const forgery = push({ secret: 'another' })
    const answers: Called[] = []
    for (let sent = 0; sent < 610; sent += 10) {
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => deliver(still, url, forgery)))))
    }
    assert.deepEqual(codes(answers.slice(0, 600)), ['401 delivery.signature_invalid'])
    assert.deepEqual(codes(answers.slice(600)), ['429 delivery.too_many_forgeries'])
    assert.ok(Number(answers.at(-1)?.headers['retry-after']) >= 1)
    // The address is that of many: of all who send from one provider.
    for (const address of [url, other.url]) assert.equal((await deliver(still, address, push())).status, 202)
    const kept = (await records(id, still)).filter((record) => record['verification'] === 'mismatch')
    assert.equal(kept.length, 60)
  })
})

describe('what comes above the rate of its source', () => {
  /** Forgeries may be answered 429 too. */
  const above = (found: readonly Record<string, unknown>[]) =>
    found.filter((record) => record['status_code'] === 429 && record['verification'] === 'verified')

  test('is recorded, however many forgeries came in its name and however many came from one address', async () => {
    const { id, url } = await connected({ rate_limit: { per_minute: 1 } }, still)
    for (let forged = 0; forged < 130; forged += 1) await deliver(still, url, push({ secret: 'another' }))
    const answers: Called[] = []
    for (let sent = 0; sent < 101; sent += 1) answers.push(await deliver(still, url, push()))
    assert.deepEqual(codes(answers.slice(1)), ['429 delivery.rate_exceeded'])
    assert.equal(above(await records(id, still)).length, 100)
  })

  test('is found by what it says, as any other', async () => {
    const { id, url } = await connected({ rate_limit: { per_minute: 1 } }, still)
    for (let sent = 0; sent < 2; sent += 1) await deliver(still, url, push())
    const found = await still.call(
      'GET',
      `/v1/git-webhook-sources/${id}/deliveries?result=rejected&repository=acme/widgets&event_type=push`,
    )
    assert.equal(found.body[0]?.['ref'], 'refs/heads/main', found.text)
  })

  test('keeps its payload as long as they are not too large together; the record is kept all the same', async () => {
    const { id, url } = await connected({ rate_limit: { per_minute: 1 } }, still)
    for (let sent = 0; sent < 5; sent += 1) await deliver(still, url, push({ bytes: 9 * 1024 * 1024 }))
    const kept = above(await records(id, still))
    assert.equal(kept.length, 4)
    const without = kept.filter((record) => /payload was not kept/.test(String(record['reason'])))
    assert.equal(without.length, 1)
    assert.ok(Number(without[0]?.['payload_bytes']) > 9 * 1024 * 1024)
  })
})

describe('a source that sends faster than is stored', () => {
  /** The deliveries that one source may have in hand while no other sends. */
  const share = 1000

  test('is told to come back, its bodies are not read, and another source still gets in', async () => {
    const loud = await connected({}, still)
    const quiet = await connected({}, still)
    const { taken, other } = await whileStalled(async () => {
      const sent = Array.from({ length: share + 1 }, () => deliver(still, loud.url, push()))
      const refused = await Promise.race(sent)
      assert.equal(refused.status, 503)
      assert.equal(refused.body['code'], 'delivery.overloaded')
      assert.ok(Number(refused.headers['retry-after']) >= 1)
      return { taken: sent, other: deliver(still, quiet.url, push()) }
    }, stillDatabase)
    const statuses = (await Promise.all(taken)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 202).length, share)
    assert.equal((await other).status, 202)
    assert.equal((await deliver(still, loud.url, push())).status, 202)
  })

  test('keeps its place from a thousand senders who begin a body and never end it', async () => {
    const { url } = await connected({}, still)
    const address = new URL(url, await still.http.app.listen({ port: 0, host: '127.0.0.1' }))
    const { headers } = push()
    const senders = Array.from({ length: share + 1 }, () =>
      request(address, { method: 'POST', agent: false, headers: { ...headers, expect: '100-continue' } }),
    )
    await Promise.all(
      senders.map((sender) => {
        sender.on('error', () => undefined)
        sender.flushHeaders()
        return once(sender, 'continue')
      }),
    )
    assert.equal((await deliver(still, url, push())).status, 202)
    for (const sender of senders) sender.destroy()
  })
})

describe('unknown, disabled and malformed are one', () => {
  const shapeOf = ({ status, body, headers }: Called): string => {
    const { request_id: _, ...rest } = body
    const { 'x-request-id': _id, date: _date, ...others } = headers
    return JSON.stringify([status, rest, others])
  }
  const addresses = (id: string): string[] =>
    [id, randomUUID(), 'none', '%20', '0'.repeat(300)].map((one) => `/v1/git/webhooks/${one}`)

  test('the disabled one is answered without the database and recorded afterwards', async () => {
    const { id } = await connected({ enabled: false })
    const shapes = await whileStalled(async () => {
      const answers = await Promise.all(addresses(id).map((url) => deliver(causes, url, push())))
      return new Set(answers.map(shapeOf))
    })
    assert.equal(shapes.size, 1, [...shapes].join('\n'))
    assert.match([...shapes][0] ?? '', /^\[404,/)
    const [record] = await until(
      'its record',
      () => records(id),
      (found) => found.length === 1,
    )
    assert.deepEqual([record?.['status_code'], record?.['verification']], [404, 'not_checked'])
  })

  test('also while nothing can be known about sources', async () => {
    const { id } = await connected({ enabled: false })
    const outage = await startOutage(testDatabase.url)
    // Known rights are believed for some seconds; from then on all answers are 503.
    const answers = await until(
      '503 for a source that is there',
      async () => Promise.all(addresses(id).map((url) => deliver(causes, url, push()))),
      ([first]) => first?.status === 503,
    )
    await outage.end()
    for (const { headers } of answers) assert.ok(headers['retry-after'])
    assert.equal(new Set(answers.map(shapeOf)).size, 1)
  })
})

describe('what cannot be read says what to set at the provider', () => {
  test('form-encoded: on the answer and on the record, whether the form or what is in it was signed', async () => {
    const payload = JSON.stringify(aPushPayload())
    const form = Buffer.from(`payload=${encodeURIComponent(payload)}`)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const asGithub = signDelivery(form, { secret: SECRET, headers })
    // Gitea and its kin sign the JSON inside of the form.
    const asGitea = { headers: signDelivery(Buffer.from(payload), { secret: SECRET, headers }).headers, body: form }
    for (const [delivery, status] of [
      [asGithub, 400],
      [asGitea, 401],
    ] as const) {
      const { id, url } = await connected()
      const called = await deliver(causes, url, delivery)
      assert.equal(called.status, status)
      assert.match(called.text, /form-encoded; set the content type of the webhook to application\/json/)
      assert.match(String((await records(id))[0]?.['reason']), /set the content type of the webhook/)
    }
  })

  test('compressed: refused as it came, its signature is over the compressed bytes', async () => {
    const { id, url } = await connected()
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, '['))
    const called = await deliver(
      causes,
      url,
      signDelivery(bomb, { secret: SECRET, headers: { 'content-encoding': 'gzip' } }),
    )
    assert.deepEqual([called.status, called.body['code']], [400, 'delivery.unreadable'])
    assert.match(called.text, /send it uncompressed/)
    const [record] = await records(id)
    assert.deepEqual([record?.['verification'], record?.['payload_bytes']], ['verified', bomb.length])
    const blocks = await db.selectFrom('delivery_payloads').select('id').where('source_id', '=', id).execute()
    assert.equal(blocks.length, 1)
  })
})
