import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer, refuse, startFakeApi } from '../testing/fake-api.ts'
import { Client } from './client.ts'
import { ApiProblem, Unreachable } from './problem.ts'
import { anything, object, text } from './shape.ts'

describe('the client', () => {
  test('sends the token and JSON, and reads what it was asked to read', async () => {
    await using api = await startFakeApi((_request, response) => answer(response, 201, { id: 'a', more: 1 }))
    const client = new Client({ url: `${api.url}/`, token: 'secret' })
    assert.deepEqual(await client.post('/v1/teams', object({ id: text }), { body: { path: 'acme' } }), { id: 'a' })
    const [request] = api.seen
    assert.equal(request?.headers.authorization, 'Bearer secret')
    assert.equal(request?.headers['content-type'], 'application/json')
    assert.equal(request?.body, '{"path":"acme"}')
  })

  test('turns a problem into an error that keeps its code, fields and request', async () => {
    await using api = await startFakeApi((_request, response) =>
      refuse(response, 409, 'team.path_taken', 'A team of this path exists.', {
        errors: [{ field: 'path', message: 'is taken' }],
      }),
    )
    const client = new Client({ url: api.url, token: undefined })
    await assert.rejects(client.post('/v1/teams', anything), (error) => {
      assert.ok(error instanceof ApiProblem)
      assert.equal(error.status, 409)
      assert.equal(error.code, 'team.path_taken')
      assert.equal(error.message, 'A team of this path exists.')
      assert.deepEqual(error.errors, [{ field: 'path', message: 'is taken' }])
      assert.equal(error.requestId, 'r1')
      return true
    })
  })

  test('an answer of something in between is a problem too', async () => {
    await using api = await startFakeApi((_request, response) => response.writeHead(418).end('<html>'))
    await assert.rejects(new Client({ url: api.url, token: undefined }).get('/', anything), {
      code: 'http_418',
      status: 418,
    })
  })

  test('repeats a GET that was told to come back, as soon as it was told', async () => {
    let asked = 0
    await using api = await startFakeApi((_request, response) => {
      asked += 1
      if (asked < 3) answer(response, 503, {}, { 'retry-after': '0' })
      else answer(response, 200, { id: 'a' })
    })
    const client = new Client({ url: api.url, token: undefined })
    assert.deepEqual(await client.get('/v1/x', object({ id: text })), { id: 'a' })
    assert.equal(asked, 3)
  })

  test('never repeats a write', async () => {
    await using api = await startFakeApi((_request, response) =>
      refuse(response, 503, 'database_unavailable', 'Later.'),
    )
    await assert.rejects(new Client({ url: api.url, token: undefined }).post('/v1/x', anything), { status: 503 })
    assert.equal(api.seen.length, 1)
  })

  test('follows the pages of a list up to its limit', async () => {
    await using api = await startFakeApi(({ path }, response) => {
      const page = Number(new URL(path, 'http://x').searchParams.get('cursor') ?? 0)
      const link: Record<string, string> = page < 5 ? { link: `</v1/runs?limit=7&cursor=${page + 1}>; rel="next"` } : {}
      answer(response, 200, [{ id: `${page}a` }, { id: `${page}b` }], link)
    })
    const client = new Client({ url: api.url, token: undefined })
    const items = await client.list('/v1/runs', object({ id: text }), 7, {
      query: { branch: 'main', teamId: undefined },
    })
    assert.deepEqual(
      items.map(({ id }) => id),
      ['0a', '0b', '1a', '1b', '2a', '2b', '3a'],
    )
    assert.equal(api.seen[0]?.path, '/v1/runs?branch=main&limit=7')
    assert.equal(api.seen.length, 4)
  })

  test('a link never carries the token to another address', async () => {
    await using other = await startFakeApi((_request, response) => answer(response, 200, [{}]))
    await using api = await startFakeApi((_request, response) =>
      answer(response, 200, [{}], { link: `<${other.url}/v1/runs>; rel="next"` }),
    )
    const client = new Client({ url: api.url, token: 'secret', retries: 0 })
    await assert.rejects(client.list('/v1/runs', anything, 10), Unreachable)
    await assert.rejects(client.bytes(`${other.url}/v1/artifacts/a`, 0), Unreachable)
    assert.throws(() => client.events(`${other.url}/v1/runs/a/events`), Unreachable)
    assert.deepEqual(other.seen, [])
  })

  test('a redirect never carries the token to another address', async () => {
    await using other = await startFakeApi((_request, response) => answer(response, 200, [{}]))
    await using api = await startFakeApi((_request, response) => {
      response.writeHead(307, { location: `${other.url}/v1/runs` }).end()
    })
    const client = new Client({ url: api.url, token: 'secret', retries: 0 })
    await assert.rejects(client.get('/v1/runs', anything), Unreachable)
    await assert.rejects(client.post('/v1/runs', anything), Unreachable)
    assert.deepEqual(other.seen, [])
  })

  test('says that nothing listens', async () => {
    const api = await startFakeApi(() => undefined)
    await api[Symbol.asyncDispose]()
    const client = new Client({ url: api.url, token: undefined, retries: 0 })
    await assert.rejects(client.get('/', anything), (error) => {
      assert.ok(error instanceof Unreachable)
      assert.match(error.message, /cannot be reached: nothing listens there\.$/)
      return true
    })
  })

  test('does not wait for ever', async () => {
    await using api = await startFakeApi(() => undefined)
    const client = new Client({ url: api.url, token: undefined, retries: 0, timeoutMs: 50 })
    await assert.rejects(client.get('/', anything), /took too long/)
  })

  test('an answer of another shape is an error that names the place', async () => {
    await using api = await startFakeApi((_request, response) => answer(response, 200, { runs: [{ id: 5 }] }))
    const shape = object({
      runs: (value: unknown, at: string) => object({ id: text })(Array.isArray(value) ? value[0] : value, at),
    })
    await assert.rejects(new Client({ url: api.url, token: undefined }).get('/', shape), /answer\.runs\.id is not text/)
  })
})
