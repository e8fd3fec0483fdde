import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { routesOf } from '@signalbox/contracts/http/routes'
import { Type } from 'typebox'
import { platformProblem } from '#platform/problems'
import { eventStream, SSE_HEADERS } from '#platform/sse'
import { createTestHttp, testAuthenticator, testCaller } from '#platform/testing'
import { systemClock } from '#platform/time'
import type { Authenticator } from './caller.ts'
import { answer, type Route, streamAnswer } from './route.ts'
import { serve } from './serve.ts'

const strict = { additionalProperties: false } as const
const shapes = {
  ThingParams: Type.Object({ id: Type.String() }),
  ThingQuery: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) }, strict),
  Thing: Type.Object({ id: Type.String(), limit: Type.Integer() }),
  NewThing: Type.Object({ name: Type.String(), count: Type.Integer() }, strict),
  MadeThing: Type.Object({ name: Type.String() }),
  Wish: Type.Union([
    Type.Object({ count: Type.Integer(), size: Type.Union([Type.Literal('small'), Type.Literal('large')]) }),
    Type.Null(),
  ]),
  Nothing: Type.Object({}),
  Count: Type.Object({ bytes: Type.Integer() }),
}
const authorized = { tag: 'test', method: 'GET', permission: 'team.read' } as const
const open = { tag: 'test', class: 'public' } as const
const stated = routesOf<typeof shapes>()({
  readThing: {
    ...authorized,
    path: '/v1/things/:id',
    summary: 'A thing',
    params: 'ThingParams',
    query: 'ThingQuery',
    answers: { 200: 'Thing' },
  },
  forgetCheck: { ...authorized, path: '/v1/careless', summary: 'Forgets its check', answers: { 200: 'Nothing' } },
  createThing: {
    ...open,
    method: 'POST',
    path: '/v1/things',
    summary: 'Make a thing',
    body: 'NewThing',
    answers: { 201: 'MadeThing' },
  },
  createWish: {
    ...open,
    method: 'POST',
    path: '/v1/wishes',
    summary: 'Make a wish, or none',
    body: 'Wish',
    answers: { 201: 'Nothing' },
  },
  deleteWishes: {
    ...open,
    method: 'DELETE',
    path: '/v1/wishes',
    summary: 'Forget all wishes',
    answers: { 204: 'empty' },
  },
  countBytes: {
    ...open,
    method: 'POST',
    path: '/v1/bytes',
    summary: 'Count bytes',
    rawBody: true,
    answers: { 200: 'Count' },
  },
})
const routes = serve(stated, shapes, {
  readThing: async (request) => {
    if (!request.caller.can('team.read', 'acme')) throw platformProblem('forbidden', 'You may not read things.')
    return answer(200, { id: request.params.id, limit: request.query.limit ?? 7, secret: 'dropped' })
  },
  forgetCheck: async () => answer(200, {}),
  createThing: async (request) => answer(201, { name: request.body.name }, { location: '/v1/things/1' }),
  createWish: async () => answer(201, {}),
  deleteWishes: async () => answer(204),
  countBytes: async (request) => {
    const body = await request.readBody(1000)
    if (body.toString() === 'fail') throw new Error('what went wrong inside')
    return answer(200, { bytes: body.length, secret: 'not declared' }, { 'x-own': 'kept' })
  },
})

const streams: Route[] = [
  {
    name: 'streamEndlessly',
    shapes: {},
    method: 'GET',
    path: '/v1/endless',
    summary: 'A stream without an end',
    tag: 'test',
    class: 'public',
    responses: { 200: 'stream' },
    handle: async (request) => {
      async function* events() {
        yield { data: 'first' }
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
      }
      return streamAnswer(eventStream(events(), { clock: systemClock, signal: request.signal }), SSE_HEADERS)
    },
  },
]

const reader = testCaller({ acme: ['team.read'] })
const http = await createTestHttp(routes, testAuthenticator({ reader, stranger: testCaller({}) }))
after(() => http.close(100))

const get = (url: string, token?: string) =>
  http.app.inject({ method: 'GET', url, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}) })
const post = (url: string, payload: string | Buffer, type = 'application/json') =>
  http.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })

describe('a route', () => {
  test('without a class or a permission cannot be registered', async () => {
    const noClass = { ...routes[2], class: undefined }
    // A JavaScript caller, or a cast, could try; the types already refuse.
    await assert.rejects(createTestHttp([noClass as unknown as Route], testAuthenticator({})), /has no route class/)
    const noPermission = { ...routes[0], permission: '' }
    await assert.rejects(createTestHttp([noPermission as Route], testAuthenticator({})), /has no permission/)
  })

  test('answers 401 without a token, and says how to send one', async () => {
    const response = await get('/v1/things/1')
    assert.equal(response.statusCode, 401)
    assert.equal(response.headers['www-authenticate'], 'Bearer')
    assert.equal(response.json().code, 'unauthenticated')
  })

  test('answers what its schema declares and nothing more', async () => {
    const response = await get('/v1/things/1?limit=3', 'reader')
    assert.deepEqual([response.statusCode, response.json()], [200, { id: '1', limit: 3 }])
    assert.ok(response.headers['x-request-id'])
  })

  test('that is authorized but never asked for a permission answers 500 instead of leaking', async () => {
    assert.equal((await get('/v1/careless', 'reader')).statusCode, 500)
  })

  test('answers 403 as problem+json with a stable code', async () => {
    const response = await get('/v1/things/1', 'stranger')
    assert.equal(response.statusCode, 403)
    assert.match(String(response.headers['content-type']), /^application\/problem\+json/)
    const problem = response.json()
    assert.deepEqual([problem.code, problem.status, problem.detail], ['forbidden', 403, 'You may not read things.'])
    assert.equal(problem.request_id, response.headers['x-request-id'])
  })
})

describe('bad input is 400 and names the field', () => {
  const cases: [string, string | Buffer, string][] = [
    ['an unknown field', '{"name":"a","count":1,"extra":2}', 'extra'],
    ['a wrong type', '{"name":"a","count":"1"}', 'count'],
    ['a missing field', '{"name":"a"}', 'count'],
    ['a duplicate key', '{"name":"a","name":"b","count":1}', 'body'],
    ['a truncated document', '{"name":"a","cou', 'body'],
    ['no JSON', 'hello', 'body'],
    ['an empty body', '', 'body'],
    ['deep nesting', '['.repeat(20_000), 'body'],
    ['a NUL', '{"name":"a\\u0000","count":1}', 'body'],
    ['half a surrogate pair', '{"name":"\\ud800","count":1}', 'body'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'body'],
  ]
  for (const [what, body, field] of cases) {
    test(what, async () => {
      const response = await post('/v1/things', body)
      assert.equal(response.statusCode, 400, response.body)
      assert.ok(
        response.json().errors.some((error: { field: string }) => error.field === field),
        response.body,
      )
    })
  }

  test('a number in an address is written in decimal digits, in one way', async () => {
    for (const limit of ['1e0', '0x1', '%201', '1%20', '1.0', '%2B1', '01', '', '9'.repeat(400), '3&limit=3']) {
      const response = await get(`/v1/things/1?limit=${limit}`, 'reader')
      assert.deepEqual([response.statusCode, response.json().errors?.[0].field], [400, 'limit'], limit)
    }
    assert.equal((await get('/v1/things/1?limit=10', 'reader')).json().limit, 10)
    for (const [query, message] of [
      ['limit=1&limit=2', 'must be given once'],
      [`limit=${'9'.repeat(20)}`, 'must have at most 16 digits'],
      ['limit=two', 'must be a whole number in decimal digits'],
    ] as const) {
      const { errors } = (await get(`/v1/things/1?${query}`, 'reader')).json()
      assert.deepEqual(errors, [{ field: 'limit', message }])
    }
  })

  test('of one of several shapes what is wrong with the one that came is told, and nothing else', async () => {
    const wrong = await post('/v1/wishes', '{"count":"1","size":"huge"}')
    assert.deepEqual(wrong.json().errors, [
      { field: 'count', message: 'must be integer' },
      { field: 'size', message: 'must be one of ["small","large"]' },
    ])
    assert.equal(wrong.json().detail, 'count must be integer.')
    assert.deepEqual((await post('/v1/wishes', '"x"')).json().errors, [{ field: 'body', message: 'must be object' }])
    assert.equal((await post('/v1/wishes', 'null')).statusCode, 201)
  })

  test('nothing at all is none where the route takes none, whatever content type it is called', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const forget = (more: object = {}) =>
      http.app.inject({ method: 'DELETE', url: '/v1/wishes', headers: { ...headers, ...more } })
    assert.equal((await forget()).statusCode, 204)
    assert.equal((await forget({ 'content-length': '0' })).statusCode, 204)
    assert.equal((await post('/v1/wishes', '')).statusCode, 201)
  })

  test('an unknown or malformed query parameter', async () => {
    assert.equal((await get('/v1/things/1?nope=1', 'reader')).json().errors[0].field, 'nope')
    assert.equal((await get('/v1/things/1?limit=many', 'reader')).json().errors[0].field, 'limit')
  })

  test('__proto__ changes nothing', async () => {
    const response = await post('/v1/things', '{"name":"a","count":1,"__proto__":{"polluted":true}}')
    assert.equal(response.statusCode, 400)
    assert.equal(Reflect.get({}, 'polluted'), undefined)
  })

  test('a charset other than UTF-8 and a foreign content type are 415', async () => {
    assert.equal((await post('/v1/things', '{}', 'text/plain')).statusCode, 415)
    assert.equal((await post('/v1/things', '{}', 'application/json; charset=utf-16')).statusCode, 415)
  })
})

describe('a raw body', () => {
  test('over the limit is refused while it streams, without a declared length', async () => {
    const port = await http.listen('127.0.0.1', 0)
    const answered = Promise.withResolvers<string>()
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
      if (text.includes('\r\n\r\n')) answered.resolve(text)
    })
    socket.on('error', () => undefined)
    socket.write('POST /v1/bytes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (let i = 0; i < 20; i++) socket.write(`64\r\n${'x'.repeat(100)}\r\n`)
    assert.match(await answered.promise, /^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  test('of any content type arrives as it was sent', async () => {
    assert.deepEqual(
      (await post('/v1/bytes', Buffer.from([0, 1, 2, 255]), 'application/x-www-form-urlencoded')).json(),
      { bytes: 4 },
    )
  })

  test('is answered by a public route as by any other', async () => {
    const answered = await post('/v1/bytes', 'x', 'text/plain')
    assert.equal(answered.body, '{"bytes":1}')
    assert.equal(answered.headers['x-own'], 'kept')
    const failed = await post('/v1/bytes', 'fail', 'text/plain')
    const { code, request_id: requestId } = failed.json()
    assert.deepEqual([failed.statusCode, code], [500, 'internal_error'])
    assert.doesNotMatch(failed.body, /went wrong inside/)
    const other = await post('/v1/things', 'no JSON')
    for (const [response, id] of [
      [failed, requestId],
      [other, other.json().request_id],
    ]) {
      assert.equal(response.headers['x-request-id'], id)
      assert.equal(response.headers['content-type'], 'application/problem+json')
      assert.equal(response.headers['content-length'], String(Buffer.byteLength(response.body)))
    }
    const named = (headers: object): string[] => Object.keys(headers).sort()
    assert.deepEqual(named(failed.headers), named(other.headers))
    assert.equal((await post('/v1/bytes?%00', 'x', 'text/plain')).statusCode, 400)
  })
})

test('the OpenAPI document names every route, its class and its problems', async () => {
  const document = (await get('/v1/openapi.json')).json()
  assert.deepEqual(Object.keys(document.paths).sort(), [
    '/v1/bytes',
    '/v1/careless',
    '/v1/things',
    '/v1/things/{id}',
    '/v1/wishes',
  ])
  const operation = document.paths['/v1/things/{id}'].get
  assert.deepEqual([document.security, operation.security], [[{ bearer: [] }, { session: [] }], undefined])
  assert.match(operation.description, /team\.read/)
  assert.ok('404' in operation.responses && 'default' in operation.responses)
  assert.deepEqual((await get('/docs/api/json')).json(), document)
  assert.match((await get('/docs/api/yaml')).body, /operationId: readThing/)
  const script = (await get('/docs/api/static/swagger-initializer.js')).body
  const logo = Buffer.from(/svg\+xml;base64,([^']+)'/.exec(script)?.[1] ?? '', 'base64').toString()
  assert.match(logo, />Signalbox</)
})

test('the documents name their request like every other answer', async () => {
  for (const url of ['/v1/openapi.json', '/docs/api/', '/docs/api/static/index.html']) {
    assert.match(String((await get(url)).headers['x-request-id']), /^[0-9a-f-]{36}$/, url)
  }
})

test('an unknown address is a problem too', async () => {
  const response = await get('/v1/nowhere')
  assert.deepEqual([response.statusCode, response.json().code], [404, 'not_found'])
})

test('a stop ends streams at once instead of waiting for them', async () => {
  const server = await createTestHttp(streams, testAuthenticator({}))
  const port = await server.listen('127.0.0.1', 0)
  const response = await fetch(`http://127.0.0.1:${port}/v1/endless`)
  const reading = response.text()
  await server.close(3_600_000)
  assert.match(await reading, /first/)
})

describe('a route that needs a permission', () => {
  const ask = async (change: Partial<Authenticator>, caller = reader) => {
    const authenticator = { ...testAuthenticator({ reader: caller }), ...change }
    const other = await createTestHttp(routes, authenticator)
    const headers = { authorization: 'Bearer reader' }
    const answered = await other.app.inject({ url: '/v1/things/1', headers })
    await other.close(100)
    return [answered.statusCode, answered.json().code]
  }

  test('is not answered while nobody can tell who may do what', async () => {
    const unavailable = platformProblem('authorization_unavailable', 'Not now.')
    const requireFresh = () => Promise.reject(unavailable)
    assert.deepEqual(await ask({ requireFresh }), [503, 'authorization_unavailable'])
  })

  test('is for the bootstrap token alone until the setup is done', async () => {
    const isSetupLocked = async () => true
    const [status, code] = await ask({ isSetupLocked })
    assert.deepEqual([Number(status) >= 400, code], [true, 'setup_locked'])
    const bootstrap = testCaller({ acme: ['team.read'] }, { kind: 'bootstrap' })
    assert.equal((await ask({ isSetupLocked }, bootstrap))[0], 200)
  })
})
