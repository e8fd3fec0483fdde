import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { aPullRequestPayload, aPushPayload, signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import {
  aConnectedSource,
  aSource,
  type Called,
  deliver,
  openCauses,
  PIPELINE,
  patientClock,
  SCOPE,
  SECRET,
  TEAM,
} from './testing.ts'

const LIMIT = 64 * 1024
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { WEBHOOK_BODY_LIMIT: String(LIMIT) }, { clock: patientClock })
after(() => causes.close())
const db = testDatabase.database.kysely
const port = await causes.http.listen('127.0.0.1', 0)

let made = 0
async function connected(source: Record<string, unknown> = {}, trigger: Record<string, unknown> = {}) {
  made += 1
  return aConnectedSource(causes, { name: `source ${made}`, ...source }, { name: `t${made}`, ...trigger })
}

function push(overrides: Partial<Parameters<typeof signPush>[0]> = {}) {
  return signPush({ secret: SECRET, deliveryId: randomUUID(), ...overrides })
}

async function lastDelivery(sourceId: string): Promise<Record<string, unknown>> {
  const { body } = await causes.call('GET', `/v1/git-webhook-sources/${sourceId}/deliveries?limit=1`)
  return body[0] ?? {}
}

async function expectRefused(
  called: Called,
  sourceId: string,
  expected: { status: number; code: string; verification: string; result?: string },
): Promise<void> {
  assert.equal(called.status, expected.status, called.text)
  assert.equal(called.body['code'], expected.code)
  const record = await lastDelivery(sourceId)
  assert.equal(record['status_code'], expected.status)
  assert.equal(record['verification'], expected.verification)
  assert.equal(record['result'], expected.result ?? 'rejected')
  assert.deepEqual(record['run_ids'], [])
}

describe('202 and 200', () => {
  test('a matching push: delivery, trigger event and queued run are stored before the answer', async () => {
    const { id, url, triggerId } = await connected()
    const answer = await deliver(causes, url, push())
    assert.equal(answer.status, 202, answer.text)
    assert.deepEqual(answer.body, { status: 'accepted' })

    const [delivery] = await db.selectFrom('deliveries').selectAll().where('source_id', '=', id).execute()
    assert.equal(delivery?.result, 'accepted')
    const events = db
      .selectFrom('trigger_events')
      .selectAll()
      .where('delivery_record_id', '=', delivery?.id ?? '')
    const [event] = await events.execute()
    assert.equal(event?.kind, 'push')
    const [run] = await db
      .selectFrom('runs')
      .selectAll()
      .where('event_id', '=', event?.id ?? '')
      .execute()
    assert.deepEqual(delivery?.run_ids, [run?.id])
    assert.equal(run?.status, 'queued')
    assert.equal(run?.pipeline_identifier, PIPELINE)
    assert.equal(run?.scope, SCOPE)
    assert.equal(run?.trigger_id, triggerId)
    assert.equal(run?.commit_sha, 'b'.repeat(40))
    assert.ok(causes.queuedSignals() > 0)
  })

  test('nothing matches: ignored, and the record says which condition failed', async () => {
    const { id, url } = await connected()
    const answer = await deliver(causes, url, push({ ref: 'refs/heads/next' }))
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { status: 'ignored' })
    const { id: record } = await lastDelivery(id)
    const detail = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries/${record}`)
    assert.equal(detail.status, 200, detail.text)
    const own = JSON.stringify(detail.body['trace'])
    assert.match(own, /"first_failed":"ref"/)
    assert.match(own, /branch next/)
  })

  test('the detail gives payload and headers, less credentials', async () => {
    const { id, url } = await connected()
    await deliver(causes, url, push({ headers: { authorization: 'Bearer nosy', cookie: 'a=b' } }))
    const { id: record } = await lastDelivery(id)
    const { body } = await causes.call('GET', `/v1/git-webhook-sources/${id}/deliveries/${record}`)
    assert.deepEqual(body['payload'], aPushPayload())
    const headers = Object.keys(Object(body['headers']))
    assert.ok(headers.includes('x-github-event'))
    for (const secret of ['authorization', 'cookie', 'x-hub-signature-256'])
      assert.ok(!headers.includes(secret), secret)
  })
})

describe('404: unknown, malformed and disabled look alike', () => {
  test('same status, headers and words, and the disabled one is recorded', async () => {
    const { id, url } = await connected({ enabled: false })
    const answers = await Promise.all(
      [url, `/v1/git/webhooks/${randomUUID()}`, '/v1/git/webhooks/none', `/v1/git/webhooks/${'0'.repeat(300)}`].map(
        (at) => deliver(causes, at, push()),
      ),
    )
    const shapes = answers.map(({ status, body, headers }) => {
      const { request_id: _, ...rest } = body
      return JSON.stringify([status, rest, Object.keys(headers), headers['content-length']])
    })
    assert.equal(answers[0]?.status, 404)
    assert.equal(new Set(shapes).size, 1, shapes.join('\n'))
    await db.selectFrom('deliveries').select('id').where('source_id', '=', id).executeTakeFirst()
  })
})

describe('413', () => {
  test('by its declared length', async () => {
    const { id, url } = await connected()
    const called = await deliver(causes, url, push({ bytes: LIMIT + 1000 }))
    await expectRefused(called, id, { status: 413, code: 'payload_too_large', verification: 'not_checked' })
  })

  test('while streaming a body without a length, and the connection is closed', async () => {
    const { id, url } = await connected()
    const socket = connect(port, '127.0.0.1')
    const head = `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    socket.write(head)
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    socket.on('error', () => undefined)
    let sent = 0
    let text = ''
    await new Promise<void>((resolve) => {
      socket.on('data', (data) => {
        text += data.toString()
      })
      socket.on('close', () => resolve())
      const more = () => {
        while (sent < 64 && !socket.destroyed && socket.write(chunk)) sent += 1
        sent += 1
      }
      socket.on('drain', more)
      more()
    })
    assert.match(text, /^HTTP\/1\.1 413 /)
    assert.equal((await lastDelivery(id))['status_code'], 413)
  })
})

describe('401', () => {
  const forged = createHmac('sha256', 'another').update('{}').digest('hex')
  const cases: [string, Record<string, string>, string][] = [
    ['a wrong digest', { 'x-hub-signature-256': `sha256=${forged}` }, 'mismatch'],
    ['an empty digest', { 'x-hub-signature-256': 'sha256=' }, 'mismatch'],
    ['a short digest', { 'x-hub-signature-256': 'sha256=abcd' }, 'mismatch'],
    ['a digest that is not hexadecimal', { 'x-hub-signature-256': `sha256=${'z'.repeat(64)}` }, 'mismatch'],
    ['an empty header', { 'x-hub-signature-256': '' }, 'mismatch'],
  ]
  for (const [name, headers, verification] of cases) {
    test(name, async () => {
      const { id, url } = await connected()
      const called = await deliver(causes, url, push({ headers }))
      await expectRefused(called, id, { status: 401, code: 'delivery.signature_invalid', verification })
    })
  }

  test('no signature, and a right SHA-1 one is none', async () => {
    const { id, url } = await connected()
    const { headers, body } = push()
    const { 'x-hub-signature-256': _, ...unsigned } = headers
    const weak = { ...unsigned, 'x-hub-signature': `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}` }
    for (const given of [unsigned, weak]) {
      const called = await deliver(causes, url, { headers: given, body })
      await expectRefused(called, id, { status: 401, code: 'delivery.signature_invalid', verification: 'missing' })
    }
  })

  test('the same JSON written otherwise: the bytes are signed, not their meaning', async () => {
    const { url } = await connected()
    const { headers } = push()
    const body = Buffer.from(JSON.stringify(aPushPayload(), null, 1))
    assert.equal((await deliver(causes, url, { headers, body })).status, 401)
  })

  test('a header that decides and comes twice', async () => {
    const { url } = await connected()
    const { headers, body } = push()
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    for (const twice of ['x-hub-signature-256', 'x-github-event', 'content-type']) {
      const repeated = [...lines, `${twice}: ${headers[twice]}`].join('\r\n')
      assert.match(await raw(url, repeated, body), /^HTTP\/1\.1 401 /, twice)
    }
  })

  test('the payload of a forgery is not kept, and a flood of them does not fill the table', async () => {
    const { id, url } = await connected()
    const forgery = push({ secret: 'another' })
    const startedAt = performance.now()
    for (let at = 0; at < 30; at += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(causes, url, forgery)))
      for (const answer of answers) assert.equal(answer.status, 401)
    }
    const { count } = await db
      .selectFrom('deliveries')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('source_id', '=', id)
      .executeTakeFirstOrThrow()
    const minutes = (performance.now() - startedAt) / 60_000
    assert.ok(count <= 61 + 60 * minutes, `${count} of 300 are recorded`)
    const kept = await db.selectFrom('delivery_payloads').select('id').where('source_id', '=', id).execute()
    assert.equal(kept.length, 0)
    assert.equal((await deliver(causes, url, push())).status, 202, 'forgers do not spend what the sender may send')
  })

  test('either secret passes while one is rotated, at once', async () => {
    const secretId = await aSecret(causes.kit, db, { teamPath: TEAM, name: 'rotating', value: 'first' })
    const { url } = await connected({ credential_ref: `secret:${TEAM}/rotating` })
    assert.equal((await deliver(causes, url, push({ secret: 'first' }))).status, 202)
    const rotated = await causes.call('PUT', `/v1/secrets/${secretId}`, { value: 'second' })
    assert.equal(rotated.status, 200, rotated.text)
    await causes.kit.database.kysely.selectFrom('secrets').select('id').execute()
    assert.equal((await deliver(causes, url, push({ secret: 'first' }))).status, 202)
    for (;;) {
      const { status } = await deliver(causes, url, push({ secret: 'second' }))
      if (status === 202) break
    }
  })
})

describe('503', () => {
  test('when it cannot be known who may do what; nothing is stored, and a repetition is processed', async () => {
    const { id, url } = await connected()
    const delivery = push()
    causes.loseGrants(true)
    const called = await deliver(causes, url, delivery)
    causes.loseGrants(false)
    assert.equal(called.status, 503)
    assert.equal(called.body['code'], 'authorization_unavailable')
    assert.ok(called.headers['retry-after'])
    const rows = await db.selectFrom('deliveries').select('id').where('source_id', '=', id).execute()
    assert.deepEqual(rows, [])
    assert.equal((await deliver(causes, url, delivery)).status, 202)
  })

  test('a source whose secret is gone takes nothing', async () => {
    const secretId = await aSecret(causes.kit, db, { teamPath: TEAM, name: 'passing', value: 'x' })
    const { id, url } = await connected({ credential_ref: `secret:${TEAM}/passing` })
    await db.deleteFrom('secrets').where('id', '=', secretId).execute()
    let called = await deliver(causes, url, push({ secret: 'x' }))
    while (called.status === 202) called = await deliver(causes, url, push({ secret: 'x' }))
    await expectRefused(called, id, { status: 503, code: 'authorization_unavailable', verification: 'not_checked' })
    assert.ok(called.headers['retry-after'])
  })
})

test('a pull request of a number that only a program would give is taken as any other', async () => {
  const { id, url } = await connected({}, { events: ['pull_request', 'pull_request_comment'], branches: [] })
  const number = 2 ** 31
  for (const payload of [aPullRequestPayload({ number }), aPullRequestPayload({ number: 2 ** 53 - 1 })]) {
    const sent = signDelivery(payload, { secret: SECRET, event: 'pull_request', deliveryId: randomUUID() })
    const answer = await deliver(causes, url, sent)
    assert.ok([200, 202].includes(answer.status), answer.text)
    assert.equal((await lastDelivery(id))['event_type'], 'pull_request')
  }
})

describe('429', () => {
  test('above the rate of the source, with Retry-After; forgeries do not count', async () => {
    const { id, url } = await connected({ rate_limit: { per_minute: 2 } })
    for (let at = 0; at < 5; at += 1) await deliver(causes, url, push({ secret: 'another' }))
    assert.equal((await deliver(causes, url, push())).status, 202)
    assert.equal((await deliver(causes, url, push())).status, 202)
    const called = await deliver(causes, url, push())
    assert.equal(called.status, 429)
    assert.ok(Number(called.headers['retry-after']) >= 1)
    await expectRefused(called, id, { status: 429, code: 'delivery.rate_exceeded', verification: 'verified' })
  })

  test('not every provider sends it again: it can be replayed', async () => {
    const { id, url } = await connected({ rate_limit: { per_minute: 1 } })
    assert.equal((await deliver(causes, url, push())).status, 202)
    assert.equal((await deliver(causes, url, push())).status, 429)
    const deliveries = `/v1/git-webhook-sources/${id}/deliveries`
    const refused = await causes.call('GET', `${deliveries}?result=rejected`)
    const replayed = await causes.call('POST', `${deliveries}/${refused.body[0]?.['id']}/replay`)
    assert.equal(replayed.body['result'], 'accepted', replayed.text)
  })
})

describe('400', () => {
  const signed = (body: string | Buffer, headers: Record<string, string> = {}) =>
    signDelivery(Buffer.from(body), { secret: SECRET, deliveryId: randomUUID(), headers })
  const payload = JSON.stringify(aPushPayload())
  const cases: [string, ReturnType<typeof signed>, RegExp][] = [
    ['no JSON', signed('{"ref":'), /JSON/],
    ['an empty body', signed(''), /empty/],
    ['JSON, but no object', signed('[1]'), /object/],
    ['bytes that are not UTF-8', signed(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), /UTF-8/],
    ['20,000 nested lists', signed(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`), /deep/],
    ['one key twice', signed('{"ref":"a","ref":"b"}'), /twice/],
    [
      'form encoding',
      signed(`payload=${payload}`, { 'content-type': 'application/x-www-form-urlencoded' }),
      /application\/json at the provider/,
    ],
    ['a content encoding', signed(payload, { 'content-encoding': 'gzip' }), /uncompressed/],
    ['another charset', signed(payload, { 'content-type': 'application/json; charset=utf-16' }), /utf-8/],
    ['no event name', signed(payload, { 'x-github-event': '' }), /X-GitHub-Event/],
    ['a push without its repository', signed('{"ref":"refs/heads/main"}'), /repository/],
  ]
  for (const [name, delivery, words] of cases) {
    test(name, async () => {
      const { id, url } = await connected()
      const called = await deliver(causes, url, delivery)
      await expectRefused(called, id, { status: 400, code: 'delivery.unreadable', verification: 'verified' })
      assert.match(String(called.body['detail']), words)
    })
  }
})

describe('422', () => {
  test('a ping and an event that nothing can use, before the allowlist', async () => {
    const { id, url } = await connected({ repository_allowlist: ['other/*'] })
    for (const [event, payload] of [
      ['ping', { zen: 'Keep it logically awesome.' }],
      ['star', aPushPayload()],
    ] as const) {
      const delivery = signDelivery(payload, { secret: SECRET, event, deliveryId: randomUUID() })
      const called = await deliver(causes, url, delivery)
      const expected = { status: 422, code: 'delivery.nothing_runnable', verification: 'verified' }
      await expectRefused(called, id, { ...expected, result: 'unprocessable' })
    }
  })

  test('acknowledge_unmapped turns it into 200', async () => {
    const { id, url } = await connected({ acknowledge_unmapped: true })
    const called = await deliver(causes, url, signDelivery({}, { secret: SECRET, event: 'ping' }))
    assert.equal(called.status, 200)
    assert.deepEqual(called.body, { status: 'ignored' })
    assert.equal((await lastDelivery(id))['result'], 'ignored')
  })
})

describe('403', () => {
  test('a repository outside the allowlist; letters of both cases are equal, a star ends at a slash', async () => {
    const { id, url } = await connected({ repository_allowlist: ['Acme/*'] }, { repositories: ['**'] })
    assert.equal((await deliver(causes, url, push())).status, 202)
    for (const name of ['acme-evil/widgets', 'evil/acme']) {
      const called = await deliver(causes, url, push({ repository: { full_name: name } }))
      const expected = { status: 403, code: 'delivery.repository_not_allowed', verification: 'verified' }
      await expectRefused(called, id, expected)
    }
  })

  test('names made to slip through are refused, whatever the reason', async () => {
    const { url } = await connected()
    for (const name of [
      'acme/../evil/x',
      'acme/widgets/../../evil',
      'аcme/widgets',
      'acme/wid\u0000gets',
      ' acme/widgets',
    ]) {
      const { status } = await deliver(causes, url, push({ repository: { full_name: name } }))
      assert.ok([400, 403].includes(status), `${JSON.stringify(name)}: ${status}`)
    }
  })

  test('a narrowed allowlist counts from the next delivery', async () => {
    const { id, url } = await connected()
    assert.equal((await deliver(causes, url, push())).status, 202)
    await causes.call('PATCH', `/v1/git-webhook-sources/${id}`, { repository_allowlist: ['acme/other'] })
    assert.equal((await deliver(causes, url, push())).status, 403)
  })
})

describe('hostile names', () => {
  for (const ref of [
    'refs/heads/zzz";echo${IFS}"hello";#',
    'refs/heads/-oProxyCommand=x',
    `refs/heads/${'a'.repeat(40)}`,
  ]) {
    test(`${ref} is stored as it is`, async () => {
      const { id, url } = await connected({}, { branches: ['**'] })
      const called = await deliver(causes, url, push({ ref }))
      assert.equal(called.status, 202, called.text)
      assert.equal((await lastDelivery(id))['ref'], ref)
    })
  }

  test('a key named __proto__, a long id and text of all kinds change nothing', async () => {
    const { url } = await connected()
    const payload = JSON.stringify(aPushPayload()).replace(
      '{',
      '{"__proto__":{"polluted":true},"x":12345678901234567890,',
    )
    const commit = payload.replace('Turn the signal to green', '\\u0000\\ud800 \\u001b[31m \\u202e <img onerror=x>')
    assert.equal((await deliver(causes, url, signDelivery(Buffer.from(commit), { secret: SECRET }))).status, 202)
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  })
})

test('a payload with any key gone or of another type is answered, and never with an error of ours', async () => {
  const { url } = await connected()
  const statuses = new Set<number>()
  const send = async (payload: unknown) => {
    const delivery = signDelivery(payload, { secret: SECRET, deliveryId: randomUUID() })
    const { status, text } = await deliver(causes, url, delivery)
    statuses.add(status)
    assert.ok([200, 202, 400, 403, 422].includes(status), `${status}: ${text} for ${JSON.stringify(payload)}`)
  }
  for (const value of [undefined, null, [], {}, '', 1e9, true]) {
    await Promise.all(Array.from(pathsOf(aPushPayload()), (path) => send(replaced(aPushPayload(), path, value))))
  }
  assert.ok(statuses.has(202) && statuses.has(400))
})

describe('a deleted source', () => {
  test('answers 404, and its triggers match nothing instead of everything', async () => {
    const { id, url, triggerId } = await connected()
    assert.equal((await causes.call('DELETE', `/v1/git-webhook-sources/${id}?if_unused=true`)).status, 409)
    assert.equal((await causes.call('DELETE', `/v1/git-webhook-sources/${id}`)).status, 204)
    assert.equal((await deliver(causes, url, push())).status, 404)
    const trigger = await causes.call('GET', `/v1/triggers/${triggerId}`)
    assert.equal(trigger.body['source_id'], null)
    assert.notEqual(trigger.body['source_lost_at'], null)
    const again = await causes.call('PUT', `/v1/triggers/${triggerId}`, trigger.body)
    assert.notEqual(again.body['source_lost_at'], null, 'a document that is written back does not widen it')

    const created = await causes.call('POST', '/v1/git-webhook-sources', aSource({ name: 'after' }))
    const other = String(created.body['id'])
    const repeated = push()
    await deliver(causes, `/v1/git/webhooks/${other}`, repeated)
    const runs = await db.selectFrom('runs').select('id').where('trigger_id', '=', triggerId).execute()
    assert.equal(runs.length, 0)
    const fact = await db.selectFrom('facts').selectAll().where('kind', '=', 'source.deleted').executeTakeFirst()
    assert.match(JSON.stringify(fact?.payload), new RegExp(triggerId))
  })
})

/** Every key of an object, also inside others, as the list of names that leads to it. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsOf(inner, [...path, key])])
}

/** A copy with the value at the path replaced; undefined takes the key away. */
function replaced(whole: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(whole)) return whole.map((item, at) => (String(at) === key ? replaced(item, rest, value) : item))
  return { ...Object(whole), [key]: replaced(Object(whole)[key], rest, value) }
}

async function raw(url: string, headers: string, body: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${body.length}\r\n${headers}\r\n\r\n`,
  )
  socket.write(body)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}
