import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ask } from '../testing.ts'
import { PERMISSIONS, signJwt, startWithApp } from './testing.ts'

/** The forge refuses what GitHub refuses, with its words. */
describe('the fake GitHub refuses', () => {
  let parts: Awaited<ReturnType<typeof startWithApp>>
  let tokens: string
  const repo = () => `${parts.api}/repos/acme/shop`

  before(async () => {
    parts = await startWithApp('http://127.0.0.1:9/hooks')
    tokens = `POST ${parts.api}/app/installations/${parts.installation.id}/access_tokens`
    await parts.forge.addRepository('acme/tools', { branches: ['main'] })
    await parts.forge.addRepository('other/secret', { branches: ['main'] })
  })
  after(() => parts.forge.close())
  beforeEach(() => {
    parts.forge.faults.clear()
    parts.forge.refuseFreshTokens(0)
    parts.installation.permissions = parts.app.permissions
  })

  async function expect(line: string, asked: Parameters<typeof ask>[1], status: number, message: RegExp) {
    const answer = await ask(line, asked)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    assert.match(JSON.stringify(answer.body), message)
  }

  async function makeToken(body?: unknown): Promise<string> {
    const answer = await ask(tokens, { token: parts.jwt(), ...(body === undefined ? {} : { body }) })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.token
  }

  test('a JWT that is foreign, expired, too long, of the future, of nobody, or none', async () => {
    const app = `GET ${parts.api}/app`
    const now = Math.floor(Date.now() / 1000)
    const sign = (claims: object, issuer: string | number = parts.app.id) =>
      signJwt(parts.privateKey, issuer, Object.fromEntries(Object.entries(claims)))
    assert.equal((await ask(app, { token: sign({}) })).status, 200)
    assert.equal((await ask(app, { token: sign({}, parts.app.clientId) })).status, 200)
    assert.equal((await ask(app, { token: sign({ iss: parts.app.id }) })).status, 200)
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const foreign = signJwt(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), parts.app.id)
    await expect(app, { token: foreign }, 401, /could not be decoded/)
    await expect(app, { token: 'a.b.c' }, 401, /could not be decoded/)
    await expect(app, {}, 401, /could not be decoded/)
    await expect(app, { token: sign({ exp: now - 1 }) }, 401, /'Expiration time' claim/)
    await expect(app, { token: sign({ exp: now + 700 }) }, 401, /too far in the future/)
    await expect(app, { token: sign({ exp: 'soon' }) }, 401, /must be a numeric value/)
    await expect(app, { token: sign({ iat: now + 60 }) }, 401, /'Issued at' claim/)
    await expect(app, { token: sign({}, 1) }, 404, /Integration not found/)
    await expect(app, { token: await makeToken() }, 401, /could not be decoded/)
  })

  test('a key that was ended, and takes each of two', async () => {
    const app = `GET ${parts.api}/app`
    const newer = await parts.forge.addKey(parts.app)
    for (const key of [parts.privateKey, newer]) {
      assert.equal((await ask(app, { token: signJwt(key, parts.app.id) })).status, 200)
    }
    const [old] = parts.app.keys
    parts.forge.removeOldestKey(parts.app)
    await expect(app, { token: parts.jwt() }, 401, /could not be decoded/)
    assert.equal((await ask(app, { token: signJwt(newer, parts.app.id) })).status, 200)
    if (old) parts.app.keys.unshift(old)
  })

  test('a clock that differs, and says its own time', async () => {
    parts.forge.clock.advance(3_600_000)
    const answer = await ask(`GET ${parts.api}/app`, { token: parts.jwt() })
    parts.forge.clock.advance(-3_600_000)
    assert.equal(answer.status, 401)
    assert.ok(Date.parse(answer.headers.get('date') ?? '') > Date.now() + 3_500_000)
  })

  test('tokens for what the installation lacks', async () => {
    const token = parts.jwt()
    await expect(tokens, { token, body: { permissions: { members: 'read' } } }, 422, /not granted/)
    await expect(tokens, { token, body: { permissions: { contents: 'write' } } }, 422, /not granted/)
    await expect(tokens, { token, body: { repositories: ['tools'] } }, 422, /not accessible/)
    await expect(tokens, { token, body: { repository_ids: [1] } }, 422, /not accessible/)
    const unknown = `POST ${parts.api}/app/installations/1/access_tokens`
    await expect(unknown, { token }, 404, /Not Found/)
    parts.forge.suspend(parts.installation)
    const suspended = await ask(tokens, { token })
    parts.forge.unsuspend(parts.installation)
    assert.deepEqual([suspended.status, suspended.body.message], [403, 'This installation has been suspended'])
  })

  test('calls of a token beyond its repositories, its permissions and its life', async () => {
    const narrow = await makeToken({ repositories: ['shop'], permissions: { contents: 'read' } })
    assert.equal((await ask(`GET ${repo()}/branches`, { token: narrow })).status, 200)
    await expect(`GET ${parts.api}/repos/acme/tools/branches`, { token: narrow }, 404, /Not Found/)
    await expect(`GET ${parts.api}/repos/other/secret`, { token: narrow }, 404, /Not Found/)
    const sha = parts.forge.world.byName.get('acme/shop')?.refs.get('refs/heads/main') ?? ''
    const status = { state: 'success', context: 'a' }
    await expect(
      `POST ${repo()}/statuses/${sha}`,
      { token: narrow, body: status },
      403,
      /not accessible by integration/,
    )
    parts.installation.permissions = { metadata: 'read' }
    await expect(`GET ${repo()}/branches`, { token: narrow }, 403, /not accessible by integration/)
    parts.installation.permissions = parts.app.permissions
    await expect(`GET ${repo()}/branches`, { token: 'ghs_unknown' }, 401, /Bad credentials/)
    await expect(`GET ${repo()}/branches`, {}, 404, /Not Found/)
    parts.forge.clock.advance(3_600_000)
    const late = await ask(`GET ${repo()}/branches`, { token: narrow })
    parts.forge.clock.advance(-3_600_000)
    assert.equal(late.status, 401)
  })

  test('a write of nobody, who may read what is public', async () => {
    await parts.forge.addRepository('acme/open', { private: false, branches: ['main'] })
    const open = `${parts.api}/repos/acme/open`
    assert.equal((await ask(`GET ${open}/branches`)).status, 200)
    const sha = parts.forge.world.byName.get('acme/open')?.refs.get('refs/heads/main')
    await expect(`POST ${open}/statuses/${sha}`, { body: { state: 'success' } }, 401, /Requires authentication/)
  })

  test('a fresh token for as many calls as told, and a revoked one for good', async () => {
    parts.forge.refuseFreshTokens(2)
    const token = await makeToken()
    const line = `GET ${repo()}/branches`
    const statuses = [await ask(line, { token }), await ask(line, { token }), await ask(line, { token })]
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [401, 401, 200],
    )
    assert.equal((await ask(`DELETE ${parts.api}/installation/token`, { token })).status, 204)
    await expect(line, { token }, 401, /Bad credentials/)
  })

  test('checks of a person, of another app, and beyond their limits', async () => {
    const sha = parts.forge.world.byName.get('acme/shop')?.refs.get('refs/heads/main') ?? ''
    parts.forge.permit('acme/shop', 'grace', 'admin')
    const line = `POST ${repo()}/check-runs`
    const check = { name: 'signalbox', head_sha: sha }
    await expect(line, { token: parts.forge.addToken('grace'), body: check }, 403, /authenticate via a GitHub App/)
    const token = await makeToken()
    await expect(line, { token, body: { ...check, head_sha: 'b'.repeat(40) } }, 422, /No commit found/)
    await expect(line, { token, body: { ...check, status: 'completed' } }, 422, /conclusion/)
    const mark = { path: 'a', start_line: 1, end_line: 1, annotation_level: 'notice', message: 'm' }
    const output = (annotations: readonly unknown[], summary = 's') => ({ title: 't', summary, annotations })
    const many = { ...check, output: output(Array.from({ length: 51 }, () => mark)) }
    await expect(line, { token, body: many }, 422, /No more than 50/)
    await expect(line, { token, body: { ...check, output: output([], 'x'.repeat(65_536)) } }, 422, /65535/)
    const made = await ask(line, { token, body: { ...check, output: output(Array.from({ length: 50 }, () => mark)) } })
    assert.equal(made.status, 201)
    const { app, privateKey } = await parts.forge.addApp('acme', { name: 'Second', default_permissions: PERMISSIONS })
    const second = parts.forge.install(app, 'acme')
    const given = await ask(`POST ${parts.api}/app/installations/${second.id}/access_tokens`, {
      token: signJwt(privateKey, app.id),
    })
    const other = { token: given.body.token, body: { status: 'in_progress' } }
    await expect(`PATCH ${repo()}/check-runs/${made.body.id}`, other, 403, /can only be modified by/)
  })

  test('the thousand and first status of a commit and context', async () => {
    const repository = parts.forge.world.byName.get('acme/shop')
    const sha = repository?.refs.get('refs/heads/main') ?? ''
    const token = await makeToken()
    const line = `POST ${repo()}/statuses/${sha}`
    const body = { state: 'pending', context: 'full' }
    assert.equal((await ask(line, { token, body })).status, 201)
    const [first] = repository?.statuses.filter(({ context }) => context === 'full') ?? []
    assert.ok(first)
    repository?.statuses.push(...Array.from({ length: 999 }, () => first))
    await expect(line, { token, body }, 422, /maximum number of statuses/)
    assert.equal((await ask(line, { token, body: { ...body, context: 'other' } })).status, 201)
    await expect(line, { token, body: { ...body, description: 'x'.repeat(141) } }, 422, /too long/)
    await expect(line, { token, body: { ...body, state: 'running' } }, 422, /invalid/)
  })

  test('a code twice, late, and a manifest with faults', async () => {
    const form = `${parts.forge.url}/settings/apps/new?state=s`
    const manifest = { name: 'Third', url: 'https://a.example', redirect_url: 'https://a.example/back' }
    const first = await parts.forge.confirmRegistration(form, manifest)
    assert.equal(first.searchParams.get('state'), 's')
    const line = (led: URL) => `POST ${parts.api}/app-manifests/${led.searchParams.get('code')}/conversions`
    const converted = await ask(line(first))
    assert.equal(converted.status, 201)
    assert.match(converted.body.pem, /^-----BEGIN RSA PRIVATE KEY-----/)
    await expect(line(first), {}, 404, /Not Found/)
    const late = await parts.forge.confirmRegistration(form, { ...manifest, name: 'Fourth' })
    parts.forge.clock.advance(3_600_001)
    const answer = await ask(line(late))
    parts.forge.clock.advance(-3_600_001)
    assert.equal(answer.status, 404)
    for (const [wrong, words] of [
      [{ ...manifest, name: 'x'.repeat(35) }, /too long/],
      [manifest, /already been taken/],
      [{ ...manifest, name: 'Fifth', default_events: ['push'] }, /Default events unsupported: push/],
      [{ name: 'Sixth' }, /Url must be a valid URL/],
    ] as const) {
      await assert.rejects(parts.forge.confirmRegistration(form, wrong), words)
    }
  })

  test('calls without a user agent, of an unknown version, and with a broken body', async () => {
    const token = await makeToken()
    await expect(`GET ${repo()}`, { token, headers: { 'x-github-api-version': '2199-01-01' } }, 400, /version/)
    await expect(`GET ${repo()}`, { token, headers: { 'user-agent': '' } }, 403, /User-Agent/)
    const broken = await fetch(`${repo()}/check-runs`, { method: 'POST', body: '{"a":' })
    assert.equal(broken.status, 400)
    assert.match(await broken.text(), /Problems parsing JSON/)
  })

  test('more calls than the rate allows, of which 304 is none', async () => {
    const token = await makeToken()
    const line = `GET ${repo()}/branches`
    const first = await ask(line, { token })
    const etag = first.headers.get('etag') ?? ''
    const again = await ask(line, { token, headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.body], [304, undefined])
    const remaining = first.headers.get('x-ratelimit-remaining')
    assert.equal(again.headers.get('x-ratelimit-remaining'), remaining)
    parts.forge.world.rateLimit = 1
    const limited = await ask(line, { token })
    parts.forge.world.rateLimit = 5000
    assert.deepEqual([limited.status, limited.headers.get('x-ratelimit-remaining')], [403, '0'])
  })

  test('to stay quiet where somebody calls what it does not have', async () => {
    parts.forge.assertQuiet()
    await expect(`GET ${parts.api}/orgs/acme/secret`, { token: await makeToken() }, 404, /Not Found/)
    assert.throws(() => parts.forge.assertQuiet(), /GET \/api\/v3\/orgs\/acme\/secret: the forge has no such operation/)
  })
})
