import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { routesOf } from '@signalbox/contracts/http/routes'
import { Type } from 'typebox'
import { createIds } from '#platform/ids'
import { createLog } from '#platform/log'
import { Problem, platformProblem } from '#platform/problems'
import { eventStream, SSE_HEADERS } from '#platform/sse'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator, testCaller } from '#platform/testing'
import { systemClock } from '#platform/time'
import type { Authenticator } from './caller.ts'
import { createIdempotency } from './idempotency.ts'
import { problemBody } from './problem-body.ts'
import { answer, type RouteRequest, streamAnswer } from './route.ts'
import { type CallParts, createRouteCalls } from './route-calls.ts'
import { serve } from './serve.ts'

const strict = { additionalProperties: false } as const
const shapes = {
  BoxParams: Type.Object({ id: Type.String({ maxLength: 20 }) }),
  BoxQuery: Type.Object(
    {
      limit: Type.Integer({ minimum: 1, maximum: 50, default: 7 }),
      full: Type.Optional(Type.Boolean()),
      label: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    },
    strict,
  ),
  Box: Type.Object({ id: Type.String(), asked: Type.Unknown(), url: Type.String() }),
  NewBox: Type.Object(
    {
      name: Type.String({ minLength: 2 }),
      count: Type.Integer({ default: 3 }),
      tags: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    strict,
  ),
  MadeBox: Type.Object({ name: Type.String(), count: Type.Integer(), nth: Type.Integer(), at: Type.String() }),
}
const read = { tag: 'test', method: 'GET', permission: 'team.read' } as const
const write = { tag: 'test', method: 'POST', permission: 'team.write' } as const
const stated = routesOf<typeof shapes>()({
  readBox: {
    ...read,
    path: '/v1/boxes/:id',
    summary: 'A box',
    params: 'BoxParams',
    query: 'BoxQuery',
    answers: { 200: 'Box' },
  },
  makeBox: { ...write, path: '/v1/boxes', summary: 'Make a box', body: 'NewBox', answers: { 201: 'MadeBox' } },
  dropBoxes: { ...write, method: 'DELETE', path: '/v1/boxes', summary: 'Drop all', answers: { 204: 'empty' } },
  breakBox: { ...read, path: '/v1/broken', summary: 'Breaks', answers: { 200: 'Box' } },
  forgetCheck: { ...read, path: '/v1/careless', summary: 'Forgets its check', answers: { 200: 'Box' } },
  listenTo: { ...read, path: '/v1/sounds', summary: 'A stream', answers: { 200: 'stream' } },
  printBox: { ...read, path: '/v1/print', summary: 'A text that comes as a stream', answers: { 200: 'text' } },
})

let made = 0
let streams = 0
const may = ({ caller }: Pick<RouteRequest, 'caller'>, permission: 'team.read' | 'team.write'): void => {
  if (!caller.can(permission, 'acme')) throw platformProblem('forbidden', `You need ${permission}.`)
}
const hum = (signal: AbortSignal) => {
  streams += 1
  async function* events() {
    yield { data: 'hum' }
  }
  return streamAnswer(eventStream(events(), { clock: systemClock, signal }), SSE_HEADERS)
}
const routes = serve(stated, shapes, {
  async readBox(request) {
    may(request, 'team.read')
    const { params, query, url } = request
    // `secret` is not declared: it is not sent.
    return answer(200, { id: params.id, asked: query, url, secret: 'never sent' }, { etag: '"1"' })
  },
  async makeBox(request) {
    may(request, 'team.write')
    made += 1
    const { name, count } = request.body
    return answer(201, { name, count, nth: made, at: request.address, secret: 'never sent' })
  },
  async dropBoxes(request) {
    may(request, 'team.write')
    return answer(204)
  },
  async breakBox() {
    throw new Error('what went wrong inside')
  },
  forgetCheck: async () => answer(200, { id: '', asked: 1, url: '' }),
  listenTo: async ({ signal }) => hum(signal),
  async printBox(request) {
    may(request, 'team.read')
    return hum(request.signal)
  },
})

const owner = testCaller({ acme: ['*'] }, { id: 'owner' })
const stranger = testCaller({}, { id: 'stranger' })
const { database } = await createTestDatabase()
const idempotency = createIdempotency(createTestKit(database))
const authenticator = testAuthenticator({ owner, stranger })
const http = await createTestHttp(routes, authenticator, idempotency)
after(() => http.close(100))

const log = createLog({ level: 'silent', pretty: false })
const ids = createIds(Date.now)
const originOf = (caller: typeof owner) => ({
  caller,
  address: '127.0.0.1',
  requestId: ids.next(),
  log,
  signal: new AbortController().signal,
})

interface Told {
  readonly status: number
  readonly body: unknown
}

/** In process, what was thrown as the body of the problem. */
async function inProcess(
  name: string,
  parts: CallParts,
  caller = owner,
  change: Partial<Authenticator> = {},
): Promise<Told> {
  const calls = createRouteCalls({
    listRoutes: () => routes,
    authenticator: { ...authenticator, ...change },
    idempotency,
  })
  try {
    const { status, body } = await calls.call(name, parts, originOf(caller))
    return { status, body: body ?? null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: error.status, body: JSON.parse(JSON.stringify({ ...problemBody(error, ''), request_id: '' })) }
  }
}

async function overHttp(name: string, parts: CallParts, caller: 'owner' | 'stranger'): Promise<Told> {
  const route = routes.find((each) => each.name === name)
  assert.ok(route)
  const url = route.path.replace(':id', encodeURIComponent(String(Object(parts.params).id)))
  const search = new URLSearchParams(
    Object.entries(Object(parts.query)).flatMap(([key, value]) =>
      [value].flat().map((each): [string, string] => [key, String(each)]),
    ),
  )
  const { statusCode, body } = await http.app.inject({
    method: route.method,
    url: search.size === 0 ? url : `${url}?${search}`,
    headers: { authorization: `Bearer ${caller}`, ...parts.headers },
    ...(parts.body === undefined ? {} : { payload: Object(parts.body) }),
  })
  const told = body === '' ? null : JSON.parse(body)
  return { status: statusCode, body: statusCode >= 400 ? { ...told, request_id: '' } : told }
}

interface Case {
  readonly name: string
  readonly parts: CallParts
  readonly status: number
  readonly field?: string
}

const cases: Readonly<Record<string, Case>> = {
  'defaults are filled in': { name: 'readBox', parts: { params: { id: 'a b/ü' } }, status: 200 },
  'numbers and booleans of an address are coerced': {
    name: 'readBox',
    parts: { params: { id: 7 }, query: { limit: 50, full: true } },
    status: 200,
  },
  'a list of one': {
    name: 'readBox',
    parts: { params: { id: 'a' }, query: { label: ['x'] } },
    status: 200,
  },
  'a list of two': { name: 'readBox', parts: { params: { id: 'a' }, query: { label: ['x', 'y'] } }, status: 200 },
  'an empty list is nothing': { name: 'readBox', parts: { params: { id: 'a' }, query: { label: [] } }, status: 200 },
  'a number out of range': {
    name: 'readBox',
    parts: { params: { id: 'a' }, query: { limit: 51 } },
    status: 400,
    field: 'limit',
  },
  'a number that is not whole': {
    name: 'readBox',
    parts: { params: { id: 'a' }, query: { limit: 1.5 } },
    status: 400,
    field: 'limit',
  },
  'an unknown parameter': {
    name: 'readBox',
    parts: { params: { id: 'a' }, query: { colour: 'red' } },
    status: 400,
    field: 'colour',
  },
  'a query where none is known': { name: 'dropBoxes', parts: { query: { all: 1 } }, status: 400, field: 'all' },
  'a parameter that is too long': {
    name: 'readBox',
    parts: { params: { id: 'a'.repeat(21) } },
    status: 400,
    field: 'id',
  },
  'a NUL in the address': { name: 'readBox', parts: { params: { id: 'a\0' } }, status: 400 },
  'a body with a default': { name: 'makeBox', parts: { body: { name: 'box' } }, status: 201 },
  'fields of a body by name': { name: 'makeBox', parts: { body: { name: 'b', size: 1 } }, status: 400, field: 'name' },
  'a body is not coerced': {
    name: 'makeBox',
    parts: { body: { name: 'box', count: '4' } },
    status: 400,
    field: 'count',
  },
  'the body is told before the query': {
    name: 'makeBox',
    parts: { body: { name: 'b' }, query: { all: 1 } },
    status: 400,
    field: 'name',
  },
  'no body where one is needed': { name: 'makeBox', parts: {}, status: 400 },
  'no content': { name: 'dropBoxes', parts: {}, status: 204 },
  'a key of another form': {
    name: 'makeBox',
    parts: { body: { name: 'box' }, headers: { 'idempotency-key': 'a b' } },
    status: 400,
    field: 'Idempotency-Key',
  },
  'a failure inside tells nothing': { name: 'breakBox', parts: {}, status: 500 },
  'a route that forgot its check': { name: 'forgetCheck', parts: {}, status: 500 },
}

describe('a route that is called in process answers as over HTTP', () => {
  for (const [title, { name, parts, status, field }] of Object.entries(cases)) {
    test(title, async () => {
      const [here, there] = [await inProcess(name, parts), await overHttp(name, parts, 'owner')]
      assert.equal(here.status, status, JSON.stringify(here))
      if (title === 'a NUL in the address') return assert.equal(there.status, 400)
      if (name === 'makeBox' && status === 201) for (const { body } of [here, there]) delete Object(body).nth
      assert.deepEqual(here, there)
      if (field !== undefined) assert.ok(JSON.stringify(Object(here.body).errors).includes(`"field":"${field}"`))
      assert.doesNotMatch(JSON.stringify(here), /never sent|inside"/)
    })
  }

  test('whoever lacks the permission is refused in the same words', async () => {
    for (const [name, parts] of [
      ['readBox', { params: { id: 'a' } }],
      ['makeBox', { body: { name: 'box' } }],
    ] as const) {
      const here = await inProcess(name, parts, stranger)
      assert.equal(here.status, 403)
      assert.deepEqual(here, await overHttp(name, parts, 'stranger'))
    }
  })

  test('the value of the caller stays as it was', async () => {
    const body = { name: 'box' }
    await inProcess('makeBox', { body })
    assert.deepEqual(body, { name: 'box' })
  })

  test('a parameter that no address could hold finds nothing, or is refused', async () => {
    for (const id of ['', '.', '..']) assert.equal((await inProcess('readBox', { params: { id } })).status, 200, id)
    assert.equal((await inProcess('readBox', { params: { id: '\ud800' } })).status, 400)
  })
})

describe('a route that is called in process', () => {
  test('asks for fresh grants and a finished setup first, unless its class needs neither', async () => {
    const unavailable = {
      requireFresh: async () => Promise.reject(platformProblem('authorization_unavailable', 'Try again.')),
    }
    assert.equal((await inProcess('readBox', { params: { id: 'a' } }, owner, unavailable)).status, 503)
    const locked = await inProcess('readBox', {}, owner, { isSetupLocked: async () => true })
    assert.deepEqual([locked.status, Object(locked.body).code], [403, 'setup_locked'])
  })

  test('is done once per Idempotency-Key, whichever way it comes', async () => {
    const parts = { body: { name: 'once' }, headers: { 'idempotency-key': 'key-1' } }
    const first = await inProcess('makeBox', parts)
    assert.equal(first.status, 201)
    assert.deepEqual(await inProcess('makeBox', parts), first)
    assert.deepEqual(await overHttp('makeBox', parts, 'owner'), first)
    const other = await inProcess('makeBox', { ...parts, body: { name: 'other' } })
    assert.deepEqual([other.status, Object(other.body).code], [409, 'idempotency_key_reused'])
  })

  test('has the address and the way of the request that it is a part of', async () => {
    const seen: unknown[] = []
    const [first] = routes
    assert.ok(first)
    const watched = {
      ...first,
      async handle({ address, via, requestId, caller }: RouteRequest) {
        seen.push([address, via, requestId, caller.can('team.read', 'acme')])
        return answer(200, { id: '', asked: 1, url: '' }, { etag: '"2"' })
      },
    }
    const calls = createRouteCalls({ listRoutes: () => [watched], authenticator, idempotency })
    const origin = { ...originOf(owner), via: { tool: 'read_box' } }
    const { headers } = await calls.call('readBox', { params: { id: 'a' } }, origin)
    assert.deepEqual(seen, [['127.0.0.1', { tool: 'read_box' }, origin.requestId, true]])
    assert.deepEqual(headers, { etag: '"2"' })
  })

  test('must exist, and must not stream', async () => {
    const calls = createRouteCalls({ listRoutes: () => routes, authenticator, idempotency })
    assert.equal(calls.find('readBox')?.path, '/v1/boxes/:id')
    assert.equal(calls.find('toString'), undefined)
    await assert.rejects(calls.call('nothing', {}, originOf(owner)), /no route nothing/)
    await assert.rejects(calls.call('listenTo', {}, originOf(owner)), /listenTo streams/)
    assert.equal(streams, 0, 'the handler is not even asked')
    await assert.rejects(calls.call('printBox', {}, originOf(owner)), (error) => {
      assert.ok(error instanceof Problem && error.cause instanceof Error)
      assert.match(error.cause.message, /printBox streams/)
      return true
    })
  })
})
