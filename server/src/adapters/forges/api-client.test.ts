import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { callForge, callPages, encodeSegments, type ForgeReply, nextByLink } from './api-client.ts'
import type { ForgeAnswer } from './port.ts'
import { type ExpectedCall, type ForgeDoubleReply, openForgeDouble } from './testing.ts'

const TOKEN = 'glpat-correct-horse'
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` }

function get(reply: ExpectedCall['reply'], path = '/thing'): ExpectedCall {
  return { method: 'GET', path, reply }
}

/** A reason is a sentence for the person who set up the source. It never shows the token or where the token went. */
function assertFailed(answer: ForgeAnswer<unknown>, reason: RegExp, retry: boolean) {
  assert.equal(answer.outcome, 'failed')
  assert.ok(answer.outcome === 'failed')
  assert.match(answer.reason, reason)
  assert.match(answer.reason, /^[A-Z].*\.$/)
  assert.doesNotMatch(answer.reason, /horse|127\.0\.0\.1|http:\/\/|password/)
  assert.equal(answer.retry, retry, answer.reason)
}

describe('a call of a provider', () => {
  test('sends what it is told and gives the JSON that comes', async (t) => {
    const double = await openForgeDouble(t, [
      {
        method: 'POST',
        path: '/a%2Fb?c=d',
        headers: { ...AUTHORIZED, accept: 'application/json', 'user-agent': 'signalbox', 'private-token': undefined },
        body: { state: 'success' },
        reply: { status: 201, headers: { 'x-next-page': '2' }, body: { id: 1 } },
      },
      {
        method: 'GET',
        path: '/empty',
        headers: { accept: 'application/vnd.github+json', 'content-type': undefined },
        reply: { status: 204 },
      },
    ])
    const body = { state: 'success' }
    const made = { method: 'POST', path: '/a%2Fb?c=d', headers: AUTHORIZED, body } as const
    const created = await callForge(double.connection(TOKEN), made)
    assert.ok(created.outcome === 'found')
    assert.deepEqual([created.value.status, created.value.body], [201, { id: 1 }])
    assert.equal(created.value.headers.get('x-next-page'), '2')
    const headers = { accept: 'application/vnd.github+json' }
    const empty = await callForge(double.connection(), { path: '/empty', headers })
    assert.ok(empty.outcome === 'found')
    assert.equal(empty.value.body, null)
  })

  test('of what is not there, or not shown, is not found', async (t) => {
    const double = await openForgeDouble(t, [get({ status: 404, body: {} }), get({ status: 410 })])
    for (let call = 0; call < 2; call += 1) {
      assert.deepEqual(await callForge(double.connection(), { path: '/thing' }), { outcome: 'not_found' })
    }
  })

  const refusals: readonly (readonly [string, ForgeDoubleReply, RegExp, boolean])[] = [
    ['401', { status: 401, body: { message: TOKEN } }, /refused the credential \(401\)/, false],
    ['403', { status: 403 }, /refused the credential \(403\)/, false],
    ['403 without calls left', { status: 403, headers: { 'x-ratelimit-remaining': '0' } }, /limits the rate/, true],
    [
      '403 with a time to wait',
      { status: 403, headers: { 'retry-after': '60' } },
      /limits the rate of calls; ask again in 60 s\./,
      true,
    ],
    [
      '429 with a date',
      { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } },
      /rate of calls\.$/,
      true,
    ],
    ['429', { status: 429 }, /limits the rate/, true],
    ['400', { status: 400, body: { error: TOKEN } }, /answered 400/, false],
    ['408', { status: 408 }, /answered 408/, true],
    ['422', { status: 422 }, /answered 422/, false],
    ['500', { status: 500, body: TOKEN }, /answered 500/, true],
    ['503', { status: 503 }, /answered 503/, true],
    ['a page for people', { status: 200, body: `<html>${TOKEN}</html>` }, /not JSON/, false],
    ['JSON that breaks off', { status: 200, body: '{"a":' }, /not JSON/, false],
    ['a cut connection', 'reset', /could not be reached/, true],
    [
      'a body that breaks off',
      { status: 200, headers: { 'content-length': '100', connection: 'close' }, body: '[' },
      /broke off/,
      true,
    ],
  ]
  for (const [what, reply, reason, retry] of refusals) {
    test(`that is answered with ${what} fails with a sentence`, async (t) => {
      const double = await openForgeDouble(t, [get(reply)])
      const answer = await callForge(double.connection(TOKEN), { path: '/thing', headers: AUTHORIZED })
      assertFailed(answer, reason, retry)
    })
  }

  test('gives an expected refusal to the caller, and no other', async (t) => {
    const double = await openForgeDouble(t, [get({ status: 400, body: { message: 'x' } }), get({ status: 401 })])
    const answer = await callForge(double.connection(), { path: '/thing', expect: [400] })
    assert.ok(answer.outcome === 'found')
    assert.deepEqual([answer.value.status, answer.value.body], [400, { message: 'x' }])
    assertFailed(await callForge(double.connection(), { path: '/thing', expect: [400] }), /401/, false)
  })

  test('follows the redirect of a renamed repository once, where the caller wants it', async (t) => {
    const moved = (status: number, to: string, path = '/a') =>
      get((url) => ({ status, headers: { location: `${url}${to}` } }), path)
    const double = await openForgeDouble(t, [
      moved(301, '/repositories/7/branches?per_page=100'),
      { ...get({ status: 200, body: ['main'] }, '/repositories/7/branches?per_page=100'), headers: AUTHORIZED },
      moved(308, '/b'),
      moved(301, '/c', '/b'),
      moved(302, '/b'),
      moved(301, '/b'),
    ])
    const call = { path: '/a', headers: AUTHORIZED, followsRename: true }
    const found = await callForge(double.connection(TOKEN), call)
    assert.deepEqual(found.outcome === 'found' && found.value.body, ['main'])
    assertFailed(await callForge(double.connection(TOKEN), call), /redirects \(301\)/, false)
    assertFailed(await callForge(double.connection(TOKEN), call), /redirects \(302\)/, false)
    assertFailed(await callForge(double.connection(TOKEN), { ...call, followsRename: false }), /redirects/, false)
  })

  test('follows no redirect that leads out of the API, and none of a call that writes', async (t) => {
    const other = await openForgeDouble(t, [])
    const call = { headers: AUTHORIZED, followsRename: true }
    for (const location of [
      `${other.url}/api/stolen`,
      '//evil.example/api/x',
      '/elsewhere',
      'file:///etc/passwd',
      '',
    ]) {
      const double = await openForgeDouble(t, [get({ status: 301, headers: { location } }, '/api/a')])
      const answer = await callForge(double.connection(TOKEN), { ...call, apiUrl: `${double.url}/api`, path: '/a' })
      assertFailed(answer, /redirects/, false)
    }
    const double = await openForgeDouble(t, [
      { ...get({ status: 301, headers: { location: '/b' } }), method: 'DELETE' },
    ])
    assertFailed(
      await callForge(double.connection(TOKEN), { ...call, method: 'DELETE', path: '/thing' }),
      /redirects/,
      false,
    )
  })

  test('with an ETag may find that nothing changed', async (t) => {
    const double = await openForgeDouble(t, [
      {
        ...get({ status: 304, headers: { etag: 'W/"1"', link: '</x>; rel="next"' } }),
        headers: { 'if-none-match': 'W/"1"' },
      },
      { ...get({ status: 304 }), headers: { 'if-none-match': undefined } },
      { ...get({ status: 200, body: [] }), headers: { 'if-none-match': undefined } },
    ])
    const found = await callForge(double.connection(), { path: '/thing', etag: 'W/"1"' })
    assert.ok(found.outcome === 'found')
    assert.deepEqual([found.value.status, found.value.body], [304, null])
    assert.equal(nextByLink(found.value, double.url), '/x')
    assertFailed(await callForge(double.connection(), { path: '/thing' }), /redirects \(304\)/, false)
    const odd = await callForge(double.connection(), { path: '/thing', etag: '"a"\r\nx: y' })
    assert.equal(odd.outcome, 'found')
  })

  test('keeps the digits of long ids, and takes no prototype from an answer', async (t) => {
    const body = '{"id": 12345678901234567890, "ids": [9007199254740993, 7], "__proto__": {"admin": true}, "x": 1.5}'
    const double = await openForgeDouble(t, [get({ status: 200, body })])
    const found = await callForge(double.connection(), { path: '/thing' })
    assert.ok(found.outcome === 'found')
    const read = Object(found.value.body)
    assert.deepEqual(
      [read.id, read.ids, read.x, read.admin],
      ['12345678901234567890', ['9007199254740993', 7], 1.5, undefined],
    )
  })

  test('of an answer with a secret goes over https or to this machine only, without a token too', async () => {
    const connection = { baseUrl: 'http://gitlab.example', token: undefined, signal: AbortSignal.abort() }
    assertFailed(await callForge(connection, { path: '/thing', confidential: true }), /plain http/, false)
  })

  test('follows no redirect: the token goes where the source says and nowhere else', async (t) => {
    const other = await openForgeDouble(t, [])
    for (const status of [301, 302, 303, 307, 308]) {
      const double = await openForgeDouble(t, [get({ status, headers: { location: `${other.url}/stolen` } })])
      const answer = await callForge(double.connection(TOKEN), { path: '/thing', headers: AUTHORIZED })
      assertFailed(answer, /redirects \(30\d\)/, false)
    }
  })

  test('takes at most 8 MiB, packed or not', async (t) => {
    const long = JSON.stringify('x'.repeat(8 * 1024 * 1024))
    const packed = gzipSync(long)
    assert.ok(packed.length < 100_000)
    const double = await openForgeDouble(t, [
      get({ status: 200, body: long }),
      get({ status: 200, headers: { 'content-encoding': 'gzip' }, body: packed }),
      get({ status: 200, body: long.slice(3) }),
    ])
    for (let call = 0; call < 2; call += 1) {
      assertFailed(await callForge(double.connection(), { path: '/thing' }), /more than 8 MiB/, false)
    }
    assertFailed(await callForge(double.connection(), { path: '/thing' }), /not JSON/, false)
  })

  test('ends when its connection does, before or while the provider is silent', async (t) => {
    const double = await openForgeDouble(t, [get('silence')])
    const ended = await callForge(double.connection(undefined, AbortSignal.abort()), { path: '/thing' })
    assertFailed(ended, /could not be reached \(AbortError\)/, true)
    const ending = new AbortController()
    const call = callForge(double.connection(undefined, ending.signal), { path: '/thing' })
    await double.asked(1)
    ending.abort()
    assertFailed(await call, /could not be reached \(AbortError\)/, true)
  })

  test('ends after its own time', async (t) => {
    const limits: number[] = []
    t.mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
      limits.push(milliseconds)
      return AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    })
    const double = await openForgeDouble(t, [])
    assertFailed(await callForge(double.connection(), { path: '/thing' }), /\(TimeoutError\)/, true)
    assert.deepEqual(limits, [10_000])
  })

  test('with a token that no header can carry fails without telling it', async (t) => {
    const double = await openForgeDouble(t, [])
    for (const token of [`${TOKEN}\nx: y`, `${TOKEN}\r`, `${TOKEN}\0`, `${TOKEN}\u2028`]) {
      const headers = { authorization: `Bearer x${token}y` }
      assertFailed(await callForge(double.connection(token), { path: '/thing', headers }), /no header can carry/, false)
    }
  })

  test('sends a token over https or to this machine only', async () => {
    const signal = AbortSignal.abort()
    const call = (baseUrl: string, token?: string) => callForge({ baseUrl, token, signal }, { path: '/thing' })
    for (const host of ['gitlab.example', '10.0.0.1', '127.0.0.1.evil.example', 'localhost.evil.example', '[::2]']) {
      assertFailed(await call(`http://${host}`, TOKEN), /plain http/, false)
      assertFailed(await call(`http://${host}`), /AbortError/, true)
      assertFailed(await call(`https://${host}`, TOKEN), /AbortError/, true)
    }
    for (const host of ['localhost:1', '127.0.0.1:1', '[::1]:1']) {
      assertFailed(await call(`http://${host}`, TOKEN), /AbortError/, true)
    }
  })

  test('of no usable address fails for good', async () => {
    const { signal } = new AbortController()
    const call = (baseUrl: string, path: string) => callForge({ baseUrl, token: TOKEN, signal }, { path })
    assertFailed(await call('https://gitlab.example', '@evil.example/thing'), /no http or https address/, false)
    assertFailed(await call('https://gitlab.example', '.evil.example/thing'), /no http or https address/, false)
    assertFailed(await call('https://user:password@gitlab.example', '/thing'), /no http or https address/, false)
    for (const path of ['/a/../b', '/a/..', '/./b', '/%2e%2E/b', '/a/.%2e?c', '/a\\..\\b']) {
      assertFailed(await call('https://gitlab.example', path), /no http or https address/, false)
    }
    for (const baseUrl of ['', 'gitlab.example', 'file:///etc', 'data:application/json,{}', 'https://']) {
      assertFailed(await call(baseUrl, '/thing'), /no http or https address/, false)
    }
  })
})

describe('the pages of a list', () => {
  const readNames = (body: unknown) => (Array.isArray(body) ? body.map(String) : undefined)

  test('are asked for one after the other until there is no further one', async (t) => {
    const double = await openForgeDouble(t, [
      get((url) => ({ status: 200, headers: { link: `<${url}/x?page=2>; rel="next"` }, body: ['a', 'b'] }), '/x'),
      get((url) => ({ status: 200, headers: { link: `<${url}/x>; rel="first"` }, body: ['c'] }), '/x?page=2'),
    ])
    const connection = double.connection()
    const next = (reply: ForgeReply) => nextByLink(reply, double.url)
    const found = await callPages(connection, { path: '/x' }, readNames, next)
    assert.deepEqual(found, { outcome: 'found', value: ['a', 'b', 'c'] })
  })

  test('are at most 100, however the provider goes on', async (t) => {
    const double = await openForgeDouble(
      t,
      Array.from({ length: 100 }, (_, at) => get({ status: 200, body: ['a'] }, `/x?page=${at + 1}`)),
    )
    const call = { path: '/x?page=1' }
    const found = await callPages(double.connection(), call, readNames, (_, page) => `/x?page=${page + 1}`)
    assert.equal(found.outcome === 'found' ? found.value.length : 0, 100)
  })

  test('are read until they hold 20,000 items, however long a page is', async (t) => {
    const body = Array.from({ length: 15_000 }, () => 'a')
    const pages = [get({ status: 200, body }, '/x'), get({ status: 200, body }, '/y')]
    const double = await openForgeDouble(t, [...pages, ...pages])
    const next = (_: ForgeReply, page: number) => (page === 1 ? '/y' : '/z')
    const whole = { ...double.connection(), wholeLists: true }
    assertFailed(await callPages(whole, { path: '/x' }, readNames, next), /more than 20000 items/, false)
    const cut = await callPages(double.connection(), { path: '/x' }, readNames, next)
    assert.equal(cut.outcome === 'found' ? cut.value.length : 0, 30_000)
  })

  test('that lead back to an earlier page fail', async (t) => {
    const double = await openForgeDouble(t, [
      get({ status: 200, body: ['a'] }, '/x'),
      get({ status: 200, body: ['b'] }, '/y'),
    ])
    const next = (_: ForgeReply, page: number) => (page === 1 ? '/y' : '/x')
    assertFailed(await callPages(double.connection(), { path: '/x' }, readNames, next), /leads back/, false)
  })

  test('of which one fails, or is no list, fail', async (t) => {
    const double = await openForgeDouble(t, [
      get({ status: 200, body: ['a'] }, '/x'),
      get({ status: 500 }, '/y'),
      get({ status: 200, body: { message: TOKEN } }, '/x'),
    ])
    assertFailed(await callPages(double.connection(), { path: '/x' }, readNames, () => '/y'), /500/, true)
    assertFailed(await callPages(double.connection(), { path: '/x' }, readNames, () => '/y'), /not document/, false)
  })
})

describe('a link to the next page', () => {
  const next = (link: string, apiUrl = 'https://git.example/api/v3') =>
    nextByLink({ status: 200, body: [], headers: new Headers({ link }) }, apiUrl)

  test('is the path below the API', () => {
    assert.equal(next('<https://git.example/api/v3/x?page=2>; rel="next"'), '/x?page=2')
    assert.equal(
      next('<https://git.example/api/v3/x?page=2>; rel=next, <https://git.example/y>; rel="last"'),
      '/x?page=2',
    )
    assert.equal(next('<https://git.example/y>; rel="last", </api/v3/x?page=2>; rel="next"'), '/x?page=2')
    assert.equal(next('<https://git.example/x?page=2>; rel="next"', 'https://git.example'), '/x?page=2')
  })

  test('that leads elsewhere, or is none, is not followed', () => {
    for (const link of [
      '<https://evil.example/api/v3/x?page=2>; rel="next"',
      '<http://git.example/api/v3/x>; rel="next"',
      '<https://git.example:8443/api/v3/x>; rel="next"',
      '<https://git.example@evil.example/api/v3/x>; rel="next"',
      '<//evil.example/api/v3/x>; rel="next"',
      '<https://git.example/api/v3evil/x>; rel="next"',
      '<https://git.example/api/v3/../../x>; rel="next"',
      '<https://git.example/x>; rel="next"',
      '<https://git.example/api/v3/x>; rel="last"',
      'https://git.example/api/v3/x',
      `${'<'.repeat(15_000)}; rel="next"`,
    ]) {
      assert.equal(next(link), undefined, link.slice(0, 80))
    }
  })
})

test('a full name becomes segments of a path that cannot leave it', () => {
  assert.equal(encodeSegments('acme/web/widgets'), 'acme/web/widgets')
  assert.equal(encodeSegments('~mona/a b?c#d%'), '~mona/a%20b%3Fc%23d%25')
})
