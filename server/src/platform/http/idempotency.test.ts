import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ShownOnce } from '@signalbox/contracts/http'
import { sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import { platformProblem } from '#platform/problems'
import {
  createTestClock,
  createTestDatabase,
  createTestHttp,
  createTestKit,
  testAuthenticator,
  testCaller,
} from '#platform/testing'
import type { Caller } from './caller.ts'
import { createIdempotency } from './idempotency.ts'
import { type Answer, answer, type Route } from './route.ts'

const { database } = await createTestDatabase()
const clock = createTestClock()
const idempotency = createIdempotency(createTestKit(database, { clock }))

/** The handler's next action; a test replaces it. */
let work: () => Promise<Answer> = async () => answer(500)
let calls = 0
const plain = Type.Object({ n: Type.Integer() })
const secret = Type.Object({ n: Type.Integer(), token: Type.Optional(ShownOnce('Shown once.')) })
const route = (path: string, shape: TSchema): Route => ({
  name: 'test',
  shapes: {},
  method: 'POST',
  path,
  summary: 'test',
  tag: 'test',
  class: 'authorized',
  permission: 'run.start',
  schema: { body: Type.Object({ name: Type.String() }) },
  responses: { 201: shape },
  handle: async (request) => {
    if (!request.caller.can('run.start', 'acme')) throw platformProblem('forbidden', 'You need run.start.')
    calls += 1
    return work()
  },
})
const ada = testCaller({ '/': ['*'] }, { id: 'ada' })
const bob = testCaller({ '/': ['*'] }, { id: 'bob' })
const callers: Record<string, Caller> = { ada, bob }
const routes = [route('/v1/things', plain), route('/v1/secret-things', secret)]
const http = await createTestHttp(routes, testAuthenticator(callers), idempotency)
after(() => http.app.close())

const post = (key: string, body: object = { name: 'x' }, as = 'ada', url = '/v1/things') =>
  http.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${as}`, 'idempotency-key': key },
    payload: body,
  })
const counted = async () => answer(201, { n: calls }, { location: `/v1/things/${calls}` })

describe('Idempotency-Key', () => {
  test('a repetition is answered as the first was, and nothing is done again', async () => {
    work = counted
    const first = await post('one')
    const again = await post('one')
    assert.equal(first.statusCode, 201)
    assert.equal(again.statusCode, 201)
    assert.deepEqual(again.json(), first.json())
    assert.equal(again.headers.location, first.headers.location)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(first.headers['idempotency-replayed'], undefined)
    assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id'])
  })

  test('a key is per caller and route; another body with it is 409', async () => {
    work = counted
    const before = calls
    await post('two')
    await post('two', { name: 'x' }, 'bob')
    await post('two', { name: 'x' }, 'ada', '/v1/secret-things')
    assert.equal(calls, before + 3)
    const other = await post('two', { name: 'y' })
    assert.equal(other.statusCode, 409)
    assert.equal(other.json().code, 'idempotency_key_reused')
    assert.equal(calls, before + 3)
  })

  test('of twenty at once, one is done; the others are told to come again', async () => {
    const started = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    work = async () => {
      started.resolve()
      await gate.promise
      return counted()
    }
    const before = calls
    const all = Array.from({ length: 20 }, () => post('three'))
    await started.promise
    const inHand = await post('three')
    assert.equal(inHand.statusCode, 409)
    assert.equal(inHand.json().code, 'idempotency_key_in_use')
    assert.ok(Number(inHand.headers['retry-after']) > 0)
    gate.resolve()
    const answers = await Promise.all(all)
    assert.equal(calls, before + 1)
    for (const one of answers) assert.ok(one.statusCode === 201 || one.json().code === 'idempotency_key_in_use')
    assert.ok(answers.some((one) => one.statusCode === 201))
  })

  test('a write that failed was not done: its key is free at once', async () => {
    work = async () => {
      throw new Error('broken')
    }
    assert.equal((await post('four')).statusCode, 500)
    work = counted
    assert.equal((await post('four')).statusCode, 201)
  })

  test('a key that a dead process left in hand is free after 60 seconds, and the late one changes nothing', async () => {
    const gate = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    work = async () => {
      started.resolve()
      await gate.promise
      return answer(201, { n: 1 })
    }
    const late = post('five')
    await started.promise
    work = async () => answer(201, { n: 2 })
    await clock.advance(60_000)
    assert.equal((await post('five')).json().code, 'idempotency_key_in_use')
    await clock.advance(1)
    assert.equal((await post('five')).json().n, 2)
    gate.resolve()
    await late
    assert.equal((await post('five')).json().n, 2)
  })

  test('is forgotten after 24 hours, and then dropped', async () => {
    work = counted
    const first = await post('six')
    await clock.advance(24 * 60 * 60_000 + 1)
    assert.notDeepEqual((await post('six')).json(), first.json())
    await clock.advance(24 * 60 * 60_000 + 1)
    await idempotency.job.run(undefined, new AbortController().signal)
    assert.deepEqual(await database.kysely.selectFrom('idempotency_keys').select('key').execute(), [])
  })

  test('an answer with a secret is kept sealed, and repeated in clear', async () => {
    work = async () => answer(201, { n: 1, token: 'sbxu_the-token' })
    const first = await post('seven', { name: 'x' }, 'ada', '/v1/secret-things')
    const again = await post('seven', { name: 'x' }, 'ada', '/v1/secret-things')
    assert.deepEqual(again.json(), first.json())
    assert.equal(again.json().token, 'sbxu_the-token')
    const rows = await sql<{ text: string }>`select k::text as text from idempotency_keys k`.execute(database.kysely)
    assert.doesNotMatch(JSON.stringify(rows.rows), /the-token/)
  })

  test('an answer with a secret is kept for 10 minutes; then it is told that the write was done', async () => {
    work = async () => answer(201, { n: 1, token: 'sbxu_the-token' })
    const ask = () => post('eight', { name: 'x' }, 'ada', '/v1/secret-things')
    await ask()
    await clock.advance(10 * 60_000)
    assert.equal((await ask()).json().token, 'sbxu_the-token')
    await clock.advance(1)
    const before = calls
    const late = await ask()
    assert.deepEqual([late.statusCode, late.json().code], [409, 'idempotency_answer_gone'])
    await idempotency.job.run(undefined, new AbortController().signal)
    const sealed = database.kysely.selectFrom('idempotency_keys').select('key').where('sealed_body', 'is not', null)
    assert.deepEqual(await sealed.execute(), [])
    assert.equal((await ask()).json().code, 'idempotency_answer_gone')
    assert.equal(calls, before, 'nothing is done again')
  })

  for (const url of ['/v1/things', '/v1/secret-things']) {
    test(`of ${url} gives no answer to a caller without the right, and gives it again once the right is back`, async () => {
      work = async () => answer(201, { n: 7, token: 'sbxu_the-token' })
      const ask = () => post('nine', { name: 'x' }, 'ada', url)
      const first = await ask()
      callers['ada'] = testCaller({ acme: ['run.read'], '/other': ['*'] }, { id: 'ada' })
      const refused = await ask()
      assert.deepEqual([refused.statusCode, refused.json().code], [403, 'forbidden'])
      assert.doesNotMatch(refused.body, /the-token|"n"/)
      callers['ada'] = testCaller({ acme: ['run.start'] }, { id: 'ada' })
      assert.deepEqual((await ask()).json(), first.json())
      callers['ada'] = ada
    })
  }

  test('a key of another form is 400; without a key every request is done', async () => {
    work = counted
    for (const key of ['', 'a b', 'x'.repeat(256)]) {
      const reply = await post(key)
      assert.equal(reply.statusCode, 400, JSON.stringify(key))
    }
    const before = calls
    const bare = () =>
      http.app.inject({
        method: 'POST',
        url: '/v1/things',
        headers: { authorization: 'Bearer ada' },
        payload: { name: 'x' },
      })
    await bare()
    await bare()
    assert.equal(calls, before + 2)
  })
})

describe('a key within the transaction of its write', () => {
  const write = (key: string) =>
    ({
      caller: { kind: 'system', id: 'door', can: () => true, mayUse: () => true, held: [] },
      route: 'POST /v1/doors',
      key,
      content: ['door'],
      isSecret: false,
    }) as const
  const keyOf = (key: string) =>
    database.kysely.selectFrom('idempotency_keys').select('status').where('key', '=', key).executeTakeFirst()

  test('is there when the write is, and gone when that is not', async () => {
    const failing = database.transaction((tx) =>
      idempotency.onceWithin(tx, write('within-failed'), async () => {
        throw platformProblem('forbidden', 'No.')
      }),
    )
    await assert.rejects(failing, { code: 'forbidden' })
    assert.equal(await keyOf('within-failed'), undefined)
    const once = () =>
      database.transaction((tx) => idempotency.onceWithin(tx, write('within'), async () => answer(201, { n: 1 })))
    await once()
    assert.deepEqual(await keyOf('within'), { status: 201 })
    const again = await once()
    assert.deepEqual([again.body, again.headers?.['idempotency-replayed']], [{ n: 1 }, 'true'])
  })

  test('makes the second of two at once wait for the first', async () => {
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let done = 0
    const once = (before: () => Promise<void>) =>
      database.transaction((tx) =>
        idempotency.onceWithin(tx, write('within-two'), async () => {
          await before()
          done += 1
          return answer(201, { n: done })
        }),
      )
    const first = once(async () => {
      begun.resolve()
      await held.promise
    })
    await begun.promise
    const second = once(async () => undefined)
    held.resolve()
    assert.deepEqual([(await first).body, (await second).body, done], [{ n: 1 }, { n: 1 }, 1])
  })
})
