import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as ask } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { routesOf } from '@signalbox/contracts/http/routes'
import { Type } from 'typebox'
import { openPage } from '#platform/page'
import { platformProblem } from '#platform/problems'
import { eventStream, SSE_HEADERS } from '#platform/sse'
import { createTestHttp, testAuthenticator, testCaller } from '#platform/testing'
import { systemClock } from '#platform/time'
import { answer, streamAnswer } from './route.ts'
import { serve } from './serve.ts'

const shapes = { Thing: Type.Object({ name: Type.String() }) }
const open = { tag: 'test', method: 'GET', class: 'public' } as const
const stated = routesOf<typeof shapes>()({
  getThing: { ...open, path: '/v1/thing', summary: 'A thing', answers: { 200: 'Thing' } },
  failThing: { ...open, path: '/v1/fails', summary: 'Fails', answers: { 200: 'Thing' } },
  refuseThing: { ...open, path: '/v1/refused', summary: 'Is refused', answers: { 200: 'Thing' } },
  putThing: { ...open, method: 'POST', path: '/v1/bare', rawBody: true, summary: 'Takes', answers: { 200: 'Thing' } },
  followThing: { ...open, path: '/v1/stream', summary: 'Streams', answers: { 200: 'stream' } },
  downloadThing: { ...open, path: '/v1/download', summary: 'Downloads', answers: { 200: 'stream' } },
  showFile: { ...open, path: '/v1/inline', summary: 'Shows', answers: { 200: 'stream' } },
  readThing: {
    tag: 'test',
    method: 'GET',
    path: '/v1/secured',
    permission: 'team.read',
    summary: 'Needs a token',
    answers: { 200: 'Thing' },
  },
})
const fileOf = (disposition: string, type: string) =>
  streamAnswer(Readable.from(['<script>alert(1)</script>'], { objectMode: false }), {
    'content-type': type,
    'content-disposition': disposition,
  })
const routes = serve(stated, shapes, {
  getThing: async () => answer(200, { name: '<script>' }),
  failThing: async () => {
    throw new Error('<script>')
  },
  refuseThing: async () => {
    throw platformProblem('forbidden', '<script>')
  },
  putThing: async (request) => answer(200, { name: (await request.readBody(100)).toString() }),
  followThing: async (request) => {
    async function* events() {
      yield { data: '<script>' }
    }
    return streamAnswer(eventStream(events(), { clock: systemClock, signal: request.signal }), SSE_HEADERS)
  },
  downloadThing: async () => fileOf('attachment; filename="evil.html"', 'text/html'),
  showFile: async () => fileOf('inline', 'image/svg+xml'),
  readThing: async () => answer(200, { name: 'never' }),
})

const folder = mkdtempSync(join(tmpdir(), 'signalbox-page-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><script src="./assets/main-1.js"></script>')
writeFileSync(join(folder, 'assets/main-1.js'), 'export {}')

const further = { page: openPage(folder), baseUrl: 'https://ci.example.com' }
const http = await createTestHttp(routes, testAuthenticator({ reader: testCaller({}) }), undefined, further)
let port = 0
before(async () => {
  port = await http.listen('127.0.0.1', 0)
})
after(async () => {
  await http.close(100)
  rmSync(folder, { recursive: true, force: true })
})

/** Head and body as a browser gets them; `path` is sent as it is. */
async function get(path: string, method = 'GET', body = ''): Promise<[number, Record<string, unknown>, string]> {
  const sent = ask({ host: '127.0.0.1', port, path, method, agent: false, headers: { 'content-length': body.length } })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return [response.statusCode, response.headers, await text(response)]
}

/** Bytes that are no request, or one that Node refuses by itself. */
async function sendBytes(bytes: string): Promise<[number, Record<string, unknown>]> {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  const answered = await text(socket)
  const [status = '', ...lines] = (answered.split('\r\n\r\n')[0] ?? '').split('\r\n')
  const pairs = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.split(': ').slice(1).join(': '),
  ])
  return [Number(status.split(' ')[1]), Object.fromEntries(pairs)]
}

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
}

const KINDS: readonly (readonly [what: string, status: number, path: string, method?: string])[] = [
  ['the page', 200, '/'],
  ['the head of the page', 200, '/', 'HEAD'],
  ['a file of the page', 200, '/assets/main-1.js'],
  ['a file that the page does not have', 404, '/assets/main-2.js'],
  ['the version of the page', 200, '/version.json'],
  ['an answer of the API', 200, '/v1/thing'],
  ['the head of an answer', 200, '/v1/thing', 'HEAD'],
  ['an answer of a bare route', 200, '/v1/bare', 'POST'],
  ['a problem of a bare route', 413, '/v1/bare', 'POST'],
  ['a refusal', 403, '/v1/refused'],
  ['a missing token', 401, '/v1/secured'],
  ['a failure', 500, '/v1/fails'],
  ['an unknown path', 404, '/nowhere/at/all'],
  ['an unknown method', 404, '/v1/thing', 'DELETE'],
  ['an address that cannot be decoded', 400, '/%zz'],
  ['an address with a NUL', 400, '/v1/thing?a=%00'],
  ['a stream of events', 200, '/v1/stream'],
  ['an attachment', 200, '/v1/download'],
  ['a file that is shown', 200, '/v1/inline'],
  ['the description of the API', 200, '/docs/api'],
  ['a file of the description', 200, '/docs/api/static/swagger-ui.css'],
  ['the OpenAPI document', 200, '/v1/openapi.json'],
]

describe('every answer forbids framing, sniffing, referrers and other origins', () => {
  for (const [what, status, path, method] of KINDS) {
    test(what, async () => {
      const [answered, headers] = await get(path, method, status === 413 ? 'x'.repeat(200) : '')
      assert.equal(answered, status)
      assert.partialDeepStrictEqual(headers, EVERYWHERE)
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
    })
  }

  test('bytes that are not a request', async () => {
    const [status, headers] = await sendBytes('GARBAGE\r\n\r\n')
    assert.equal(status, 400)
    assert.partialDeepStrictEqual(headers, EVERYWHERE)
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; frame-ancestors 'none'$/)
  })

  test('a head that is too large', async () => {
    const [status, headers] = await sendBytes(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
    assert.equal(status, 431)
    assert.partialDeepStrictEqual(headers, EVERYWHERE)
  })
})

describe('the policy of content', () => {
  const policyOf = async (path: string) => String((await get(path))[1]['content-security-policy'])

  test('lets nothing run in what the API says', async () => {
    assert.equal(await policyOf('/v1/thing'), "default-src 'none'; frame-ancestors 'none'")
  })

  test('gives files of strangers a sandbox, attached or shown', async () => {
    for (const path of ['/v1/download', '/v1/inline']) assert.match(await policyOf(path), /^sandbox;/, path)
  })

  test('lets the description of the API run its own scripts alone', async () => {
    assert.match(await policyOf('/docs/api'), /script-src 'self';/)
  })

  test('of an error below the page is that of the API', async () => {
    assert.equal(await policyOf('/nowhere'), "default-src 'none'; frame-ancestors 'none'")
  })
})

test('where the service is reached by plain http, nobody is told to come by https', async () => {
  const plain = await createTestHttp(routes, testAuthenticator({}), undefined, { baseUrl: 'http://ci.example.com' })
  const { headers } = await plain.app.inject({ url: '/v1/thing' })
  await plain.close(100)
  assert.equal(headers['strict-transport-security'], undefined)
})
