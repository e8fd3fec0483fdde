import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { identityRoutes } from '@signalbox/contracts/access/routes'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { runRoutes } from '@signalbox/contracts/runs/routes'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { answer, refuse, startFakeApi } from '../testing/fake-api.ts'
import { Client } from './client.ts'
import { ApiProblem, Unreachable } from './problem.ts'

describe('the client', () => {
  test('sends the token and JSON, and answers what it was answered', async () => {
    await using api = await startFakeApi((_request, response) => answer(response, 201, { id: 'a', more: 1 }))
    const client = new Client({ url: `${api.url}/`, token: 'secret' })
    const body = { path: 'acme' }
    assert.deepEqual(await client.call(teamRoutes.createTeam, { body }), { id: 'a', more: 1 })
    const [request] = api.seen
    assert.equal(request?.headers.authorization, 'Bearer secret')
    assert.equal(request?.headers['content-type'], 'application/json')
    assert.equal(request?.body, '{"path":"acme"}')
  })

  test('turns a problem into an error that keeps its code, fields and request', async () => {
    await using api = await startFakeApi((_request, response) =>
      refuse(response, 409, 'team.path_taken', {
        detail: 'A team of this path exists.',
        errors: [{ field: 'path', message: 'is taken' }],
      }),
    )
    const client = new Client({ url: api.url, token: undefined })
    await assert.rejects(client.call(teamRoutes.createTeam, { body: { path: 'acme' } }), (error) => {
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
    await assert.rejects(new Client({ url: api.url, token: undefined }).call(runRoutes.listRuns), {
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
    assert.deepEqual(await client.call(identityRoutes.getMe), { id: 'a' })
    assert.equal(asked, 3)
  })

  test('never repeats a write', async () => {
    await using api = await startFakeApi((_request, response) =>
      refuse(response, 503, 'database_unavailable', 'Later.'),
    )
    const client = new Client({ url: api.url, token: undefined })
    await assert.rejects(client.call(runRoutes.cancelRun, { params: { id: 'r' } }), { status: 503 })
    assert.equal(api.seen.length, 1)
  })

  test('follows the pages of a list up to its limit', async () => {
    await using api = await startFakeApi(({ path }, response) => {
      const page = Number(new URL(path, 'http://x').searchParams.get('cursor') ?? 0)
      const link: Record<string, string> = page < 5 ? { link: `</v1/runs?limit=7&cursor=${page + 1}>; rel="next"` } : {}
      answer(response, 200, [{ run_id: `${page}a` }, { run_id: `${page}b` }], link)
    })
    const client = new Client({ url: api.url, token: undefined })
    const runs = await client.list(runRoutes.listRuns, { query: { branch: 'main', teamId: undefined }, limit: 7 })
    assert.deepEqual(
      runs.map(({ run_id }) => run_id),
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
    await assert.rejects(client.list(runRoutes.listRuns), Unreachable)
    assert.deepEqual(other.seen, [])
  })

  test('a redirect never carries the token to another address', async () => {
    await using other = await startFakeApi((_request, response) => answer(response, 200, [{}]))
    await using api = await startFakeApi((_request, response) => {
      response.writeHead(307, { location: `${other.url}/v1/runs` }).end()
    })
    const client = new Client({ url: api.url, token: 'secret', retries: 0 })
    await assert.rejects(client.call(runRoutes.listRuns), Unreachable)
    await assert.rejects(client.call(teamRoutes.createTeam, { body: { path: 'acme' } }), Unreachable)
    assert.deepEqual(other.seen, [])
  })

  test('says that nothing listens', async () => {
    const api = await startFakeApi(() => undefined)
    await api[Symbol.asyncDispose]()
    const client = new Client({ url: api.url, token: undefined, retries: 0 })
    await assert.rejects(client.call(runRoutes.listRuns), (error) => {
      assert.ok(error instanceof Unreachable)
      assert.match(error.message, /cannot be reached: nothing listens there\.$/)
      return true
    })
  })

  test('does not wait for ever', async () => {
    await using api = await startFakeApi(() => undefined)
    const client = new Client({ url: api.url, token: undefined, retries: 0, timeoutMs: 50 })
    await assert.rejects(client.call(runRoutes.listRuns), /took too long/)
  })

  test('parameters are sent as one part of the path each, whatever they hold', async () => {
    await using api = await startFakeApi((_request, response) => answer(response, 200, {}))
    const client = new Client({ url: api.url, token: undefined })
    await client.call(teamRoutes.getTeam, { params: { id: '../users/acme?x#y' } })
    await client.call(pipelineRoutes.getPipelineVersion, { params: { id: 'acme/build', version: 2 } })
    assert.deepEqual(
      api.seen.map(({ path }) => path),
      ['/v1/teams/..%2Fusers%2Facme%3Fx%23y', '/v1/pipelines/acme%2Fbuild/versions/2'],
    )
  })

  test('a parameter that would lead to another address is refused before anything is sent', async () => {
    await using api = await startFakeApi((_request, response) => answer(response, 204, undefined))
    const client = new Client({ url: api.url, token: undefined })
    for (const name of ['', '.', '..']) {
      const params = { id: 'acme', name }
      await assert.rejects(client.call(teamRoutes.deleteEnvironment, { params }), /is neither a name nor an id/)
    }
    assert.deepEqual(api.seen, [])
  })

  test('what is not there is undefined for those who look for it; a refusal stays one', async () => {
    let status = 404
    await using api = await startFakeApi((_request, response) => refuse(response, status, 'no', 'No.'))
    const client = new Client({ url: api.url, token: undefined })
    assert.equal(await client.find(teamRoutes.getTeam, { params: { id: 'acme' } }), undefined)
    status = 403
    await assert.rejects(client.find(teamRoutes.getTeam, { params: { id: 'acme' } }), { status: 403 })
  })

  test('an answer of another kind than the route states is not understood', async () => {
    let body: unknown
    await using api = await startFakeApi((_request, response) => answer(response, 200, body))
    const client = new Client({ url: api.url, token: undefined })
    for (body of [[], 'text', null, 5, undefined]) {
      await assert.rejects(client.call(identityRoutes.getMe), /answer to GET \/v1\/auth\/me is not an object/)
    }
    for (body of [{}, 'text', null, undefined]) {
      await assert.rejects(client.list(runRoutes.listRuns), /answer to GET \/v1\/runs is not a list/)
    }
  })
})
