import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, describe, test } from 'node:test'
import { readConfig } from '#platform/config'
import { createTestHttp, testAuthenticator, testCaller } from '#platform/testing'
import { browserAccessOf } from './browser-access.ts'
import type { Authenticator } from './caller.ts'
import { readCookie } from './credentials.ts'
import { answer, type Route } from './route.ts'

const reader = testCaller({}, { id: 'reader' })
const tokens = testAuthenticator({ reader })
const authenticator: Authenticator = {
  ...tokens,
  authenticate: async (credentials, address) =>
    credentials.kind === 'session' && credentials.secret === 'secret'
      ? { ...reader, sessionId: 'this one' }
      : tokens.authenticate(credentials, address),
}
const common = { name: 'test', summary: 'test', tag: 'test', shapes: {}, responses: { 204: 'empty' } } as const
const empty = { ...common, handle: async () => answer(204) } as const
/** Of each session id that a write came with. */
const written: (string | undefined)[] = []
const routes: Route[] = [
  {
    ...common,
    method: 'POST',
    path: '/v1/cancel',
    class: 'authenticated',
    handle: async ({ caller }) => {
      written.push(caller.sessionId)
      return answer(204)
    },
  },
  { ...empty, method: 'GET', path: '/v1/read', class: 'authenticated' },
  {
    ...empty,
    method: 'GET',
    path: '/v1/kept',
    class: 'authenticated',
    handle: async () => answer(204, undefined, { 'cache-control': 'public, max-age=3600' }),
  },
  { ...empty, method: 'POST', path: '/v1/sign-in', class: 'public', ownPage: true },
  { ...empty, method: 'POST', path: '/v1/deliveries', class: 'public' },
]
const OURS = 'https://ci.example.com'
const UI = 'https://page.example.com'
const browsers = { cookieName: 'session', isSecure: false, origins: [OURS, UI] }
const http = await createTestHttp(routes, authenticator, undefined, { browsers })
const port = await http.listen('127.0.0.1', 0)
after(() => http.close(100))

interface Answered {
  readonly status: number
  readonly code: string | undefined
  readonly cache: string | undefined
}

/** Over a real socket, with exactly these headers: fetch adds some of its own. */
function send(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers: { 'content-length': '0', ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (text += piece))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          code: text === '' ? undefined : JSON.parse(text).code,
          cache: response.headers['cache-control'],
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

const COOKIE = { cookie: 'session=secret' }
const ALLOWED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['from a page of ours', { 'sec-fetch-site': 'same-origin' }],
  [
    'from a page of ours, whatever its Origin: the browser has judged',
    { 'sec-fetch-site': 'same-origin', origin: 'http://10.0.0.1' },
  ],
  ['without Sec-Fetch-Site, from base_url', { origin: OURS }],
  ['without Sec-Fetch-Site, from ui_url', { origin: UI }],
]
const REFUSED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['without any header, as an old browser sends a form', {}],
  ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['from another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: OURS }],
  ['from a neighbouring host of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://x.example.com' }],
  ['typed into the address bar', { 'sec-fetch-site': 'none' }],
  ['with two values of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }],
  ['with an empty Sec-Fetch-Site and our origin', { 'sec-fetch-site': '', origin: OURS }],
  ['from another origin', { origin: 'https://evil.example' }],
  ['from an origin that begins as ours', { origin: `${OURS}.evil.example` }],
  ['from our host on another port', { origin: `${OURS}:8443` }],
  ['from our host over plain HTTP', { origin: OURS.replace('https', 'http') }],
  ['from a page in a sandbox', { origin: 'null' }],
  ['from a page of ours that names no origin', { referer: `${OURS}/` }],
]

describe('a write with a cookie', () => {
  for (const [what, headers] of ALLOWED) {
    test(`counts ${what}`, async () => {
      assert.equal((await send('POST', '/v1/cancel', { ...COOKIE, ...headers })).status, 204)
      assert.equal((await send('POST', '/v1/sign-in', headers)).status, 204)
    })
  }
  for (const [what, headers] of REFUSED) {
    test(`is refused ${what}`, async () => {
      written.length = 0
      for (const answered of [
        await send('POST', '/v1/cancel', { ...COOKIE, ...headers }),
        await send('POST', '/v1/cancel', {
          ...COOKIE,
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
        }),
        await send('POST', '/v1/cancel', { cookie: 'session=wrong', ...headers }),
        await send('POST', '/v1/sign-in', headers),
      ]) {
        assert.deepEqual([answered.status, answered.code], [403, 'cross_site'])
      }
      assert.deepEqual(written, [])
    })
  }

  test('names the session', async () => {
    written.length = 0
    await send('POST', '/v1/cancel', { ...COOKIE, origin: OURS })
    assert.deepEqual(written, ['this one'])
  })
})

describe('a page that says for whom it was opened', () => {
  const own = { ...COOKIE, 'sec-fetch-site': 'same-origin' }

  test('reads and writes for that user alone', async () => {
    written.length = 0
    for (const [method, path] of [
      ['GET', '/v1/read'],
      ['POST', '/v1/cancel'],
    ] as const) {
      assert.equal((await send(method, path, { ...own, 'signalbox-user': 'reader' })).status, 204)
      for (const user of ['somebody else', '']) {
        const refused = await send(method, path, { ...own, 'signalbox-user': user })
        assert.deepEqual([refused.status, refused.code], [409, 'other_user'])
      }
    }
    assert.deepEqual(written, ['this one'])
  })

  test('signs in as anybody, and a token is not asked', async () => {
    const headers = { 'signalbox-user': 'somebody else' }
    assert.equal((await send('POST', '/v1/sign-in', { ...own, ...headers })).status, 204)
    assert.equal((await send('GET', '/v1/read', { ...headers, authorization: 'Bearer reader' })).status, 204)
  })
})

describe('a cookie', () => {
  test('is not read beside a bearer token, valid or not, and a token needs no page', async () => {
    written.length = 0
    const cross = { ...COOKIE, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assert.equal((await send('POST', '/v1/cancel', { ...cross, authorization: 'Bearer reader' })).status, 204)
    assert.deepEqual(written, [undefined])
    const own = { ...COOKIE, 'sec-fetch-site': 'same-origin' }
    for (const authorization of ['Bearer wrong', 'Basic c2VjcmV0Og==', '']) {
      assert.equal((await send('POST', '/v1/cancel', { ...own, authorization })).status, 401, authorization)
    }
    assert.deepEqual(written, [undefined])
  })

  test('reads from anywhere: the browser decides who sees the answer', async () => {
    assert.equal((await send('GET', '/v1/read', { ...COOKIE, 'sec-fetch-site': 'cross-site' })).status, 204)
  })

  test('counts for nothing on a public route, which needs no page', async () => {
    assert.equal((await send('POST', '/v1/deliveries', { ...COOKIE, 'sec-fetch-site': 'cross-site' })).status, 204)
  })

  test('keeps every answer out of every cache', async () => {
    const answers = [
      await send('GET', '/v1/read', COOKIE),
      await send('GET', '/v1/kept', COOKIE),
      await send('GET', '/v1/read', { cookie: 'session=wrong' }),
      await send('POST', '/v1/cancel', COOKIE),
    ]
    assert.deepEqual(
      answers.map(({ status, cache }) => [status, cache]),
      [
        [204, 'no-store'],
        [204, 'no-store'],
        [401, 'no-store'],
        [403, 'no-store'],
      ],
    )
    assert.equal((await send('GET', '/v1/kept', { authorization: 'Bearer reader' })).cache, 'public, max-age=3600')
  })

  test('is found among others; two of the name are none', () => {
    assert.equal(readCookie('a=b; session=x=y ;c', 'session'), 'x=y')
    assert.equal(readCookie('xsession=a; session2=b', 'session'), undefined)
    assert.equal(readCookie('session=planted; session=own', 'session'), undefined)
    assert.equal(readCookie(undefined, 'session'), undefined)
  })
})

test('the configuration decides the name of the cookie and the origins', () => {
  const of = (env: Readonly<Record<string, string>>) =>
    browserAccessOf(readConfig({ env, cwd: '/nonexistent', isTerminal: false }))
  assert.deepEqual(of({}), { cookieName: 'session', isSecure: false, origins: ['http://127.0.0.1:8080'] })
  assert.deepEqual(of({ BASE_URL: 'https://ci.example.com/', UI_URL: 'https://page.example.com:444/ui' }), {
    cookieName: '__Host-session',
    isSecure: true,
    origins: ['https://ci.example.com', 'https://page.example.com:444'],
  })
  assert.equal(of({ BASE_URL: 'http://ci.lan' }).cookieName, 'session')
})
