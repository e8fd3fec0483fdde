import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { after, describe, test } from 'node:test'
import { findForge } from '#adapters/forges'
import { createTestClock } from '#platform/testing'
import { aSecret } from '#rooms/foundation/secrets/testing'
import { openGitApps } from './testing.ts'

// Connections by a token, over HTTP on both sides: their settings, installations, repositories, branches and doctor.

const TOKEN = 'token-of-the-account'
const COUNT = 120

interface Spoken {
  readonly api: string
  readonly size: number
  /** The answers of a provider, by path; undefined: it has no such thing. */
  answer(path: string, page: number): unknown
}

const repositoriesFrom = (page: number, size: number) =>
  Array.from({ length: Math.max(0, Math.min(size, COUNT - (page - 1) * size)) }, (_, at) => (page - 1) * size + at + 1)
const branch = (name: string) => ({ name, commit: { id: name.length.toString(16).repeat(40) } })

const GITEA: Spoken = {
  api: '/api/v1',
  size: 50,
  answer(path, page) {
    if (path === '/user') return { id: 1, login: 'bot', full_name: 'The bot' }
    if (path === '/user/orgs') return [{ id: 2, username: 'acme' }]
    if (path === '/orgs/acme') return { id: 2, username: 'acme' }
    if (path === '/orgs/acme/repos') {
      return repositoriesFrom(page, 50).map((id) => ({
        id,
        full_name: `acme/r${id}`,
        private: true,
        default_branch: 'main',
      }))
    }
    return path === '/repos/acme/r7/branches' ? [branch('main'), branch('next')] : undefined
  },
}

const GITLAB: Spoken = {
  api: '/api/v4',
  size: 100,
  answer(path, page) {
    if (path === '/user') return { id: 1, username: 'bot', name: 'The bot', bot: true }
    if (path === '/groups') return [{ id: 2, full_path: 'acme' }]
    if (path === '/groups/acme') return { id: 2, full_path: 'acme' }
    if (path === '/personal_access_tokens/self') return { scopes: ['api'] }
    if (path === '/groups/acme/projects') {
      return repositoriesFrom(page, 100).map((id) => ({
        id,
        path_with_namespace: `acme/r${id}`,
        visibility: 'private',
        default_branch: 'main',
      }))
    }
    return path === '/projects/acme%2Fr7/repository/branches' ? [branch('main'), branch('next')] : undefined
  },
}

const clock = createTestClock(new Date())

/** A provider that checks the token, numbers its pages and knows its ETags. Its clock is that of the test. */
async function openProvider({ api, size, answer }: Spoken) {
  const state = { token: TOKEN, down: false, calls: 0, unchanged: 0 }
  const server = createServer((request: IncomingMessage, response) => {
    state.calls += 1
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider.example')
    const say = (status: number, body?: unknown, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', date: clock.now().toUTCString(), ...headers })
        .end(JSON.stringify(body ?? {}))
    if (state.down) return say(502)
    if (request.headers.authorization?.split(' ')[1] !== state.token) return say(401, { message: 'Unauthorized' })
    const page = Number(searchParams.get('page') ?? 1)
    const body = pathname.startsWith(api) ? answer(pathname.slice(api.length), page) : undefined
    if (body === undefined) return say(404, { message: 'Not found' })
    const further = Array.isArray(body) && body.length === size
    const etag = `"${pathname.length}-${page}"`
    const headers = {
      etag,
      'x-next-page': further ? String(page + 1) : '',
      ...(further ? { link: `<http://elsewhere.example${pathname}?page=${page + 1}>; rel="next"` } : {}),
    }
    if (request.headers['if-none-match'] === etag) {
      state.unchanged += 1
      return say(304, undefined, headers)
    }
    return say(200, body, headers)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { state, url: `http://127.0.0.1:${address.port}` }
}

const room = await openGitApps({ clock, env: { PROVIDER_HOSTS: '127.0.0.1' } })
const REFRESH = 'git_apps.refresh-installation'
const signal = new AbortController().signal

interface Found {
  readonly step: string
  readonly result: string
  readonly sentence: string
  readonly remedy: string | null
}

// All of them live as long as the file: jobs of one may run in the story of the next.
const PROVIDERS = [
  { provider: 'gitea', spoken: GITEA, ...(await openProvider(GITEA)) },
  { provider: 'forgejo', spoken: GITEA, ...(await openProvider(GITEA)) },
  { provider: 'gitlab', spoken: GITLAB, ...(await openProvider(GITLAB)) },
] as const

for (const { provider, spoken, state, url } of PROVIDERS) {
  describe(`a connection to ${provider}`, () => {
    const ref = `secret:acme/${provider}`
    const send = async (method: 'GET' | 'PUT' | 'POST', path: string, payload?: object) => {
      const wanted = { method, url: `/v1/git-apps/${provider}${path}`, headers: room.root.headers }
      const answer = await room.http.app.inject({ ...wanted, ...(payload ? { payload } : {}) })
      return { status: answer.statusCode, text: answer.body, body: answer.json() }
    }
    const put = (more: object = {}) =>
      send('PUT', '', { app_id: 'bot', base_url: url, team_path: 'acme', credential_ref: ref, ...more })
    const doctor = async () => {
      const { body } = await send('POST', '/doctor')
      const steps: Found[] = body.steps
      return { ok: body.ok, steps, of: (name: string) => steps.find(({ step }) => step === name) }
    }

    test('is registered by its settings, and the account names itself', async () => {
      await aSecret(room.kit, room.db, { teamPath: 'acme', name: provider, value: TOKEN })
      const made = await put()
      assert.equal(made.status, 200, made.text)
      assert.deepEqual([made.body.app_id, made.body.source_id, made.body.webhook_configured], ['bot', null, false])
      await room.work('git_apps.note-app')
      const { body, text } = await send('GET', '')
      assert.deepEqual([body.name, body.account, body.html_url], ['The bot', 'bot', `${url}/bot`])
      assert.equal(text.includes(TOKEN), false)
    })

    test('has a group for an installation, which is verified, refreshed with ETags, and listed by name', async () => {
      const unknown = await send('POST', '/installations', { installation_id: 'nobody' })
      assert.deepEqual([unknown.status, unknown.body.status], [201, 'unverified'])
      const made = await send('POST', '/installations', { installation_id: 'acme' })
      assert.deepEqual([made.status, made.body.status, made.body.account], [201, 'active', 'acme'])
      const verified = await send('POST', '/installations/acme/verify')
      assert.deepEqual([verified.status, verified.body.ok, verified.body.status], [200, true, 'active'])
      const first = await send('POST', '/installations/acme/refresh')
      assert.deepEqual([first.body.repository_count, first.body.added], [COUNT, COUNT], first.text)
      const before = state.unchanged
      const second = await send('POST', '/installations/acme/refresh')
      assert.deepEqual([second.body.repository_count, second.body.added, second.body.removed], [COUNT, 0, 0])
      assert.equal(state.unchanged - before, Math.ceil(COUNT / spoken.size), 'every page is known')
      const listed = await send('GET', '/installations/acme/repositories')
      const names: string[] = listed.body.map((one: { full_name: string }) => one.full_name)
      assert.equal(names.length, COUNT)
      assert.deepEqual(names, names.toSorted())
      await room.work(REFRESH)
    })

    test('reads branches for teams that may use it; for all others the repository is absent', async () => {
      const forge = findForge(provider)
      const ask = (teamPath: string, repository: string) =>
        room.door.call(
          { ref: `app:${provider}`, teamPath, repository, uses: ['read'], baseUrl: url },
          signal,
          async (token) =>
            (await forge?.repositories?.listBranches({ baseUrl: url, token, signal }, repository)) ?? {
              outcome: 'not_found',
            },
        )
      const found = await ask('acme/web', 'acme/r7')
      assert.deepEqual(found.outcome === 'found' && found.value.map(({ name }) => name), ['main', 'next'])
      const said = await Promise.all([ask('strangers', 'acme/r7'), ask('acme/web', 'acme/none')])
      const [stranger, absent] = said.map((answer) => (answer.outcome === 'failed' ? answer.reason : answer.outcome))
      assert.equal(stranger?.replace('strangers', 'acme/web').replace('r7', 'none'), absent)
    })

    test('has a doctor who says what a missing webhook secret means, and what is well', async () => {
      const without = await doctor()
      const webhook = without.of('webhook')
      assert.equal(webhook?.result, 'warning')
      assert.match(webhook?.sentence ?? '', /No webhook secret is stored/)
      assert.match(
        webhook?.remedy ?? '',
        /PUT a webhook_secret .* as a webhook at (Gitea|Forgejo|GitLab)\. Sources with/,
      )
      assert.equal(without.ok, false)
      const withSecret = await put({ webhook_secret: 'a-secret-of-the-webhook' })
      assert.match(withSecret.body.source_id, /^[0-9a-f-]{36}$/)
      await room.http.app.inject({
        method: 'DELETE',
        url: `/v1/git-apps/${provider}/installations/nobody`,
        headers: room.root.headers,
      })
      const sound = await doctor()
      assert.match(
        sound.of('webhook')?.sentence ?? '',
        new RegExp(`takes deliveries at .*${withSecret.body.source_id}`),
      )
      assert.deepEqual([sound.ok, sound.of('permissions')?.result], [true, 'skipped'], JSON.stringify(sound.steps))
      await put({ app_id: 'another' })
      const other = (await doctor()).of('app')
      assert.deepEqual(
        [other?.result, other?.sentence],
        ['failed', 'The token is of the account bot, and the settings name another.'],
      )
      await put()
    })

    test('says so where its token was revoked, and where the provider is away', async () => {
      state.token = 'another-token'
      const refused = await send('POST', '/installations/acme/verify')
      assert.deepEqual([refused.status, refused.body.ok], [200, false], refused.text)
      assert.match(refused.body.reason, /401|token|credential/i)
      assert.equal((await send('POST', '/installations/acme/refresh')).status, 502)
      const app = (await doctor()).of('app')
      assert.match(app?.remedy ?? '', /Make a token of the account/)
      await aSecret(room.kit, room.db, { teamPath: 'acme', name: `${provider}-new`, value: 'another-token' })
      assert.equal((await put({ credential_ref: `secret:acme/${provider}-new` })).status, 200)
      assert.equal((await send('POST', '/installations/acme/verify')).body.ok, true, 'a new token is used at once')
      state.down = true
      const away = await send('POST', '/installations/acme/verify')
      assert.deepEqual([away.status, away.body.code], [500, 'git_app.verification_not_run'])
      const unread = await send('GET', '/installations/acme/repositories')
      assert.deepEqual([unread.status, unread.body.code], [502, 'git_app.provider_failed'])
      state.down = false
      assert.equal((await send('POST', '/installations/acme/refresh')).body.repository_count, COUNT)
    })
  })
}
