import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppConnection, ForgeApps } from './app-port.ts'
import { forgejo } from './forgejo/index.ts'
import { gitea } from './gitea/index.ts'
import { gitlab } from './gitlab/index.ts'
import type { Forge } from './port.ts'
import { type ExpectedCall, type ForgeDoubleReply, openForgeDouble } from './testing.ts'

/** Connections by a token, at providers that have no apps. */

const NOW = Date.parse('2026-11-28T10:00:00.000Z')
const TOKEN = 'correct-horse'

function appsOf({ apps }: Forge): ForgeApps {
  assert.ok(apps)
  return apps
}

function connect(baseUrl: string, token: string | undefined = TOKEN): AppConnection {
  return { baseUrl, app: { appId: '', privateKeys: [], token }, now: NOW, signal: new AbortController().signal }
}

const get = (path: string, reply: ExpectedCall['reply'], headers = {}): ExpectedCall => ({
  method: 'GET',
  path,
  reply,
  headers,
})
const ok = (body: unknown, headers: Record<string, string> = {}): ForgeDoubleReply => ({ status: 200, headers, body })
const missing: ForgeDoubleReply = { status: 404, body: { message: 'Not found' } }

for (const forge of [gitea, forgejo, gitlab]) {
  describe(`a connection of ${forge.title} by a token`, () => {
    test('has no registration and no keys, and says what it lacks', () => {
      const apps = appsOf(forge)
      assert.equal(apps.registration, null)
      assert.match(
        apps.findKeyFault('-----BEGIN RSA PRIVATE KEY-----') ?? '',
        new RegExp(`^${forge.title} has no apps with keys`),
      )
      assert.deepEqual([apps.features, apps.events], [[], []])
      assert.ok(apps.lacks.some((sentence) => /cannot be narrowed/.test(sentence)))
      for (const sentence of apps.lacks) assert.match(sentence, /^[A-Z].*\.$/)
    })

    test('gives the token itself for every wish, and none where none is stored', async () => {
      const wish = { installationId: 'acme', repository: 'acme/widgets', grants: { contents: 'read' } } as const
      const made = await appsOf(forge).createToken(connect('http://127.0.0.1:1'), wish)
      assert.deepEqual(made, { outcome: 'found', value: { token: TOKEN, expiresAt: null } })
      for (const token of [undefined, '']) {
        const connection = { ...connect('http://127.0.0.1:1'), app: { appId: '', privateKeys: [], token } }
        const none = await appsOf(forge).createToken(connection, wish)
        assert.match(none.outcome === 'failed' ? none.reason : '', /no stored token/)
      }
    })

    test('asks for no name of another form', async (t) => {
      const double = await openForgeDouble(t, [])
      for (const name of [
        '',
        '.',
        '..',
        '../admin',
        'a/../b',
        'a b',
        'a?b',
        'a#b',
        '/a',
        'a/',
        'x'.repeat(401),
        '%2e%2e',
      ]) {
        assert.deepEqual(
          await appsOf(forge).findInstallation(connect(double.url), name),
          { outcome: 'not_found' },
          name,
        )
        const wish = { installationId: name, token: TOKEN, known: [] }
        assert.deepEqual(
          await appsOf(forge).listRepositories(connect(double.url), wish),
          { outcome: 'not_found' },
          name,
        )
      }
    })

    test('sends the token over https or to this machine only', async () => {
      const found = await appsOf(forge).find(connect('http://git.example'))
      assert.match(found.outcome === 'failed' ? found.reason : '', /plain http/)
    })
  })
}

for (const forge of [gitea, forgejo]) {
  const apps = appsOf(forge)
  const authorized = { authorization: `token ${TOKEN}` }
  const repository = (id: number) => ({ id, full_name: `acme/r${id}`, private: id !== 1, default_branch: 'main' })

  describe(`the API of ${forge.title}`, () => {
    test('names the account of the token', async (t) => {
      const date = new Date(NOW - 3_000).toUTCString()
      const double = await openForgeDouble(t, [
        get('/api/v1/user', ok({ id: 1, login: 'bot', full_name: 'Signalbox' }, { date }), authorized),
      ])
      assert.deepEqual(await apps.find(connect(double.url)), {
        outcome: 'found',
        value: {
          appId: 'bot',
          slug: null,
          name: 'Signalbox',
          htmlUrl: `${double.url}/bot`,
          account: 'bot',
          permissions: {},
          events: [],
          skewMs: -3_000,
        },
      })
    })

    test('says why the token is refused', async (t) => {
      const message = 'token does not have at least one of required scope(s), required=[read:user]'
      const double = await openForgeDouble(t, [get('/api/v1/user', { status: 403, body: { message } })])
      const answer = await apps.find(connect(double.url))
      assert.ok(answer.outcome === 'failed' && answer.cause === 'refused')
      assert.match(answer.reason, /says: "token does not have at least one of required scope/)
    })

    test('finds an organisation, or a person', async (t) => {
      const double = await openForgeDouble(t, [
        get('/api/v1/orgs/acme', ok({ id: 2, name: 'Acme', username: 'Acme' }), authorized),
        get('/api/v1/orgs/mona', missing),
        get('/api/v1/users/mona', ok({ id: 3, login: 'mona' })),
        get('/api/v1/orgs/nobody', missing),
        get('/api/v1/users/nobody', missing),
      ])
      const expected = (name: string) => ({
        account: name,
        selection: null,
        permissions: {},
        suspendedAt: null,
        htmlUrl: `${double.url}/${name}`,
      })
      const find = (name: string) => apps.findInstallation(connect(double.url), name)
      assert.deepEqual(await find('acme'), { outcome: 'found', value: { ...expected('Acme'), installationId: 'acme' } })
      assert.deepEqual(await find('mona'), { outcome: 'found', value: { ...expected('mona'), installationId: 'mona' } })
      assert.deepEqual(await find('nobody'), { outcome: 'not_found' })
    })

    test('lists the organisations of the account, and the account', async (t) => {
      const double = await openForgeDouble(t, [
        get('/api/v1/user', ok({ login: 'bot' })),
        get(
          '/api/v1/user/orgs?limit=50&page=1',
          ok([{ username: 'acme' }, {}, 7], { link: '<https://other.example>; rel="next"' }),
        ),
        get('/api/v1/user/orgs?limit=50&page=2', ok([{ name: 'widgets' }])),
      ])
      const listed = await apps.listInstallations(connect(double.url))
      assert.ok(listed.outcome === 'found')
      assert.deepEqual(
        listed.value.map(({ installationId }) => installationId),
        ['acme', 'widgets', 'bot'],
      )
    })

    test('lists the repositories of an organisation from every page, although the links name another address', async (t) => {
      const double = await openForgeDouble(t, [
        get('/api/v1/orgs/acme', ok({ username: 'acme' }), authorized),
        get(
          '/api/v1/orgs/acme/repos?limit=50&page=1',
          ok([repository(1)], { link: '<http://localhost:3000/x>; rel="next"' }),
          authorized,
        ),
        get('/api/v1/orgs/acme/repos?limit=50&page=2', ok([repository(2), { id: 3, full_name: '..' }]), authorized),
      ])
      const wish = { installationId: 'acme', token: TOKEN, known: [] }
      assert.deepEqual(await apps.listRepositories(connect(double.url), wish), {
        outcome: 'found',
        value: {
          repositories: [
            { id: '1', fullName: 'acme/r1', private: false, defaultBranch: 'main' },
            { id: '2', fullName: 'acme/r2', private: true, defaultBranch: 'main' },
          ],
          pages: [],
          calls: 3,
        },
      })
    })

    test('keeps no log of deliveries', () => assert.equal(forge.deliveries, null))
  })
}

describe('the API of GitLab', () => {
  const apps = appsOf(gitlab)
  const authorized = { authorization: `Bearer ${TOKEN}` }
  const groupPath = (page: number) =>
    `/api/v4/groups/acme%2Fweb/projects?include_subgroups=true&with_shared=false&order_by=id&sort=asc&per_page=100&page=${page}`
  const project = (id: number, visibility = 'private') => ({
    id,
    path_with_namespace: `acme/web/r${id}`,
    visibility,
    default_branch: 'main',
  })

  test('names the account of the token, and the scopes where it tells them', async (t) => {
    const user = ok({ id: 1, username: 'group_7_bot', name: 'Signalbox', bot: true })
    const double = await openForgeDouble(t, [
      get('/api/v4/user', user, authorized),
      get(
        '/api/v4/personal_access_tokens/self',
        ok({ scopes: ['api', 'read_repository', 7, 'Odd'], active: true }),
        authorized,
      ),
      get('/api/v4/user', user),
      get('/api/v4/personal_access_tokens/self', { status: 401, body: {} }),
    ])
    for (const permissions of [{ api: 'write', read_repository: 'read' }, {}]) {
      const found = await apps.find(connect(double.url))
      assert.ok(found.outcome === 'found')
      assert.deepEqual(
        [found.value.appId, found.value.name, found.value.permissions],
        ['group_7_bot', 'Signalbox', permissions],
      )
    }
  })

  test('finds a group, or a person', async (t) => {
    const double = await openForgeDouble(t, [
      get('/api/v4/groups/acme%2Fweb?with_projects=false', ok({ id: 2, full_path: 'acme/web' }), authorized),
      get('/api/v4/groups/mona?with_projects=false', missing),
      get('/api/v4/users?username=mona', ok([{ id: 3, username: 'mona' }])),
      get('/api/v4/groups/nobody?with_projects=false', missing),
      get('/api/v4/users?username=nobody', ok([])),
    ])
    const find = (name: string) => apps.findInstallation(connect(double.url), name)
    assert.deepEqual(await find('acme/web'), {
      outcome: 'found',
      value: {
        installationId: 'acme/web',
        account: 'acme/web',
        selection: null,
        permissions: {},
        suspendedAt: null,
        htmlUrl: `${double.url}/acme/web`,
      },
    })
    assert.equal((await find('mona')).outcome, 'found')
    assert.deepEqual(await find('nobody'), { outcome: 'not_found' })
  })

  test('lists the groups of the account without those below another, and a person’s own', async (t) => {
    const groups = ['acme', 'acme/web', 'acme/web/ui', 'acmes', 'other/web'].map((full) => ({ full_path: full }))
    const path = '/api/v4/groups?min_access_level=20&order_by=id&sort=asc&per_page=100&page=1'
    for (const bot of [true, false]) {
      const double = await openForgeDouble(t, [
        get('/api/v4/user', ok({ username: 'mona', bot })),
        get(path, ok(groups, { 'x-next-page': '' })),
      ])
      const listed = await apps.listInstallations(connect(double.url))
      assert.ok(listed.outcome === 'found')
      const names = listed.value.map(({ installationId }) => installationId)
      assert.deepEqual(names, ['acme', 'acmes', 'other/web', ...(bot ? [] : ['mona'])])
    }
  })

  test('lists the projects of a group and its subgroups from every page, and asks only for what changed', async (t) => {
    const group = get('/api/v4/groups/acme%2Fweb?with_projects=false', ok({ full_path: 'acme/web' }))
    const double = await openForgeDouble(t, [
      group,
      get(groupPath(1), ok([project(1, 'public'), project(2, 'internal')], { 'x-next-page': '2', etag: 'W/"1"' }), {
        'if-none-match': undefined,
      }),
      get(groupPath(2), ok([project(3)], { 'x-next-page': '', etag: 'W/"2"' })),
      group,
      get(groupPath(1), { status: 304, headers: { 'x-next-page': '2', etag: 'W/"1"' } }, { 'if-none-match': 'W/"1"' }),
      get(groupPath(2), ok([project(4)], { 'x-next-page': '', etag: 'W/"4"' }), { 'if-none-match': 'W/"2"' }),
    ])
    const list = async (known: Parameters<typeof apps.listRepositories>[1]['known']) => {
      const answer = await apps.listRepositories(connect(double.url), {
        installationId: 'acme/web',
        token: TOKEN,
        known,
      })
      assert.ok(answer.outcome === 'found')
      return answer.value
    }
    const first = await list([])
    assert.deepEqual(
      first.repositories.map(({ id, private: hidden }) => [id, hidden]),
      [
        ['1', false],
        ['2', true],
        ['3', true],
      ],
    )
    const second = await list(first.pages)
    assert.deepEqual(
      second.repositories.map(({ id }) => id),
      ['1', '2', '4'],
    )
    assert.deepEqual(
      second.pages.map(({ etag }) => etag),
      ['W/"1"', 'W/"4"'],
    )
    assert.equal(second.calls, 3)
  })
})
