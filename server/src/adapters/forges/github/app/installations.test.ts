import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, test } from 'node:test'
import type { TokenWish } from '../../app-port.ts'
import { type ExpectedCall, type ForgeDoubleReply, openForgeDouble } from '../../testing.ts'
import { apps } from './index.ts'
import { aKey, anApp, assertJwt } from './testing.ts'

const KEY = aKey()
const NOW = Date.parse('2026-11-28T10:00:00.000Z')
const TOKENS = '/api/v3/app/installations/42/access_tokens'
const wish: TokenWish = { installationId: '42', repository: 'acme/widgets', grants: { contents: 'read' } }
const narrowed = { repositories: ['widgets'], permissions: { contents: 'read' } }
const token = {
  token: 'ghs_16C7e42F292c6912E7710c838347Ae178B4a',
  expires_at: '2026-11-28T11:00:00Z',
  permissions: { contents: 'read', metadata: 'read' },
  repository_selection: 'selected',
  repositories: [{ id: 1, full_name: 'acme/widgets' }],
}

function anInstallation(overrides: Record<string, unknown> = {}) {
  return {
    id: 42,
    account: { login: 'acme', id: 1, type: 'Organization' },
    repository_selection: 'selected',
    html_url: 'https://github.com/organizations/acme/settings/installations/42',
    app_id: 7,
    app_slug: 'signalbox-acme',
    target_type: 'Organization',
    permissions: { checks: 'write', metadata: 'read', contents: 'root' },
    events: ['push'],
    suspended_at: null,
    ...overrides,
  }
}

const get = (path: string, reply: ExpectedCall['reply']): ExpectedCall => ({
  method: 'GET',
  path: `/api/v3${path}`,
  reply,
})

describe('an app', () => {
  test('is found as the provider has it', async (t) => {
    const date = new Date(NOW + 5_000).toUTCString()
    const body = (url: string) => ({
      id: 7,
      slug: 'signalbox-acme',
      owner: { login: 'acme' },
      name: 'Signalbox Acme',
      html_url: `${url}/github-apps/signalbox-acme`,
      permissions: { checks: 'write' },
      events: ['push'],
    })
    const double = await openForgeDouble(t, [
      get('/app', (url) => ({ status: 200, headers: { date }, body: body(url) })),
    ])
    const { html_url: htmlUrl, ...rest } = body(double.url)
    assert.deepEqual(await apps.find(anApp(double.url, NOW, [KEY])), {
      outcome: 'found',
      value: {
        appId: '7',
        slug: rest.slug,
        name: rest.name,
        htmlUrl,
        account: 'acme',
        permissions: rest.permissions,
        events: ['push'],
        skewMs: 5_000,
      },
    })
  })

  test('says where its deliveries go', async (t) => {
    const config = {
      content_type: 'json',
      insecure_ssl: '0',
      secret: '********',
      url: 'https://signalbox.example.com/hook',
    }
    const double = await openForgeDouble(t, [
      get('/app/hook/config', { status: 200, body: config }),
      get('/app/hook/config', { status: 200, body: { ...config, url: '' } }),
      get('/app/hook/config', { status: 404 }),
    ])
    const find = () => apps.findWebhookUrl?.(anApp(double.url, NOW, [KEY]))
    assert.deepEqual(await find(), { outcome: 'found', value: config.url })
    assert.deepEqual(await find(), { outcome: 'found', value: null })
    assert.deepEqual(await find(), { outcome: 'not_found' })
  })
})

describe('an installation', () => {
  const find = (baseUrl: string, id = '42') => apps.findInstallation(anApp(baseUrl, NOW, [KEY]), id)

  test('is found as the provider has it, suspended or not', async (t) => {
    const double = await openForgeDouble(t, [
      get('/app/installations/42', (url) => ({ status: 200, body: anInstallation({ html_url: `${url}/x` }) })),
      get('/app/installations/42', {
        status: 200,
        body: anInstallation({ suspended_at: '2026-11-27T08:00:00Z', account: null }),
      }),
    ])
    const expected = { installationId: '42', selection: 'selected', permissions: { checks: 'write', metadata: 'read' } }
    assert.deepEqual(await find(double.url), {
      outcome: 'found',
      value: { ...expected, account: 'acme', suspendedAt: null, htmlUrl: `${double.url}/x` },
    })
    assert.deepEqual(await find(double.url), {
      outcome: 'found',
      value: { ...expected, account: null, suspendedAt: '2026-11-27T08:00:00.000Z', htmlUrl: null },
    })
  })

  test('with an id of another form is not found, and the provider is not asked', async (t) => {
    const double = await openForgeDouble(t, [])
    for (const id of ['', '0', '-1', '4e2', '42/../7', '%2e%2e', '42?x', ' 42', '1'.repeat(21)]) {
      assert.deepEqual(await find(double.url, id), { outcome: 'not_found' })
      const created = await apps.createToken(anApp(double.url, NOW, [KEY]), { ...wish, installationId: id })
      assert.deepEqual(created, { outcome: 'not_found' })
    }
  })

  test('of a long id keeps its digits', async (t) => {
    const id = '12345678901234567890'
    const body = JSON.stringify(anInstallation()).replace('"id":42', `"id":${id}`)
    const double = await openForgeDouble(t, [get(`/app/installations/${id}`, { status: 200, body })])
    const found = await find(double.url, id)
    assert.equal(found.outcome === 'found' && found.value.installationId, id)
  })

  test('of another app, or another one than was asked for, is never found', async (t) => {
    const double = await openForgeDouble(t, [
      get('/app/installations/42', { status: 404, body: { message: 'Not Found' } }),
      get('/app/installations/42', { status: 200, body: anInstallation({ app_id: 8 }) }),
      get('/app/installations/42', { status: 200, body: anInstallation({ id: 43 }) }),
    ])
    assert.deepEqual(await find(double.url), { outcome: 'not_found' })
    assert.deepEqual(await find(double.url), { outcome: 'not_found' })
    assert.equal((await find(double.url)).outcome, 'failed')
  })

  test('is listed from every page', async (t) => {
    const next = (url: string) => ({ link: `<${url}/api/v3/app/installations?per_page=100&page=2>; rel="next"` })
    const double = await openForgeDouble(t, [
      get('/app/installations?per_page=100', (url) => ({
        status: 200,
        headers: next(url),
        body: [anInstallation(), 7, {}],
      })),
      get('/app/installations?per_page=100&page=2', { status: 200, body: [anInstallation({ id: 43 })] }),
    ])
    const listed = await apps.listInstallations(anApp(double.url, NOW, [KEY]))
    assert.ok(listed.outcome === 'found')
    assert.deepEqual(
      listed.value.map(({ installationId }) => installationId),
      ['42', '43'],
    )
  })

  test('is not listed from a link to elsewhere, nor forever', async (t) => {
    const double = await openForgeDouble(t, [
      get('/app/installations?per_page=100', {
        status: 200,
        headers: { link: '<https://evil.example/x>; rel="next"' },
        body: [],
      }),
      get('/app/installations?per_page=100', (url) => ({
        status: 200,
        headers: { link: `<${url}/api/v3/app/installations?per_page=100>; rel="next"` },
        body: [],
      })),
    ])
    assert.deepEqual(await apps.listInstallations(anApp(double.url, NOW, [KEY])), { outcome: 'found', value: [] })
    const looped = await apps.listInstallations(anApp(double.url, NOW, [KEY]))
    assert.match(looped.outcome === 'failed' ? looped.reason : '', /leads back to an earlier page/)
  })
})

describe('a token of an installation', () => {
  const create = (baseUrl: string, wished = wish) => apps.createToken(anApp(baseUrl, NOW, [KEY]), wished)
  const post = (body: unknown, reply: ForgeDoubleReply): ExpectedCall => ({ method: 'POST', path: TOKENS, body, reply })

  test('is narrowed to the repository and the permissions', async (t) => {
    const double = await openForgeDouble(t, [post(narrowed, { status: 201, body: token })])
    const expected = { token: token.token, expiresAt: '2026-11-28T11:00:00.000Z' }
    assert.deepEqual(await create(double.url), { outcome: 'found', value: expected })
  })

  test('is of the whole installation only where nothing is named', async (t) => {
    const whole = { ...token, repositories: undefined, repository_selection: 'all' }
    const double = await openForgeDouble(t, [
      post({}, { status: 201, body: whole }),
      post(narrowed, { status: 201, body: whole }),
    ])
    assert.equal((await create(double.url, { installationId: '42', repository: null, grants: {} })).outcome, 'found')
    // The same answer to a wish for one repository is none.
    assert.equal((await create(double.url)).outcome, 'failed')
  })

  test('for another repository of the same name is not taken', async (t) => {
    for (const repositories of [
      [{ full_name: 'evil/widgets' }],
      [],
      [{ full_name: 'acme/widgets' }, { full_name: 'acme/x' }],
    ]) {
      const double = await openForgeDouble(t, [post(narrowed, { status: 201, body: { ...token, repositories } })])
      const answer = await create(double.url)
      assert.ok(answer.outcome === 'failed' && answer.cause === 'invalid')
      assert.doesNotMatch(answer.reason, /ghs_/)
    }
  })

  test('may be of any length, as long as a header can carry it, and must end', async (t) => {
    const long = `ghs_7_${'eyJ0'.repeat(700)}`
    const double = await openForgeDouble(t, [
      post(narrowed, { status: 201, body: { ...token, token: long } }),
      ...[{ token: 'a\nb' }, { token: '' }, { token: 7 }, { expires_at: null }, { expires_at: 'soon' }].map((change) =>
        post(narrowed, { status: 201, body: { ...token, ...change } }),
      ),
    ])
    const made = await create(double.url)
    assert.equal(made.outcome === 'found' && made.value.token, long)
    for (let call = 0; call < 5; call += 1) assert.equal((await create(double.url)).outcome, 'failed')
  })

  test('that is not given says why', async (t) => {
    const message = 'The permissions requested are not granted to this installation.'
    const refusals = [
      [
        { status: 403, body: { message: 'This installation has been suspended' } },
        { cause: 'suspended', status: 403, retry: false },
        /is suspended/,
      ],
      [
        { status: 403, body: { message: 'Resource not accessible' } },
        { cause: 'refused', status: 403, retry: false },
        /says: "Resource/,
      ],
      [
        { status: 422, body: { message } },
        { cause: undefined, status: 422, retry: false },
        /says: "The permissions requested are not granted/,
      ],
      [
        { status: 429, headers: { 'retry-after': '30' } },
        { cause: 'limited', status: 429, retry: true },
        /again in 30 s/,
      ],
      [{ status: 502 }, { cause: undefined, status: 502, retry: true }, /answered 502/],
      ['reset', { cause: 'unreachable', status: undefined, retry: true }, /could not be reached/],
    ] as const
    for (const [reply, expected, reason] of refusals) {
      const double = await openForgeDouble(t, [post(narrowed, reply)])
      const answer = await create(double.url)
      assert.ok(answer.outcome === 'failed')
      assert.deepEqual({ cause: answer.cause, status: answer.status, retry: answer.retry }, expected)
      assert.match(answer.reason, reason)
    }
    const double = await openForgeDouble(t, [post(narrowed, { status: 404, body: { message: 'Not Found' } })])
    assert.deepEqual(await create(double.url), { outcome: 'not_found' })
  })

  test('of two providers with the same ids, asked for at once, comes from its own', async (t) => {
    const keys = [aKey(), aKey()]
    const servers = await Promise.all(
      keys.map(async (key, at) => {
        const server = createServer((request, response) => {
          assertJwt(request.headers.authorization, key)
          request.resume()
          request.on('end', () => {
            response.writeHead(201, { 'content-type': 'application/json' })
            response.end(JSON.stringify({ ...token, token: `ghs_of_${at}` }))
          })
        })
        await once(server.listen(0, '127.0.0.1'), 'listening')
        t.after(async () => {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        })
        const address = server.address()
        assert.ok(typeof address === 'object' && address !== null)
        return anApp(`http://127.0.0.1:${address.port}`, NOW, [key])
      }),
    )
    const asked = Array.from({ length: 20 }, (_, call) => call % 2)
    const made = await Promise.all(
      asked.map((at) => {
        const connection = servers[at]
        assert.ok(connection)
        return apps.createToken(connection, wish)
      }),
    )
    assert.deepEqual(
      made.map((answer) => answer.outcome === 'found' && answer.value.token),
      asked.map((at) => `ghs_of_${at}`),
    )
  })
})
