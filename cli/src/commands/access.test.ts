import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answer } from '../testing/fake-api.ts'
import { stage } from '../testing/stage.ts'

const ALICE = '01900000-0000-7000-8000-00000000000a'
const TEAM = '01900000-0000-7000-8000-00000000000b'
const CI = '01900000-0000-7000-8000-00000000000c'
const at = '2026-11-23T08:00:00.000Z'

const LISTS: Readonly<Record<string, readonly object[]>> = {
  '/v1/users': [
    { id: ALICE, login: 'alice', name: 'Alice', email: null, has_password: true, disabled: false, created_at: at },
  ],
  '/v1/groups': [{ id: TEAM, name: 'release', created_at: at }],
  '/v1/service-accounts': [{ id: CI, team_path: 'acme/web', name: 'ci', disabled: false, created_at: at }],
}

/** Knows alice, the group release and the account acme/web/ci; a write answers its own body. */
const directory = () =>
  stage((request, response) => {
    const [path = ''] = request.path.split('?')
    if (request.method === 'GET') return answer(response, 200, LISTS[path] ?? LISTS['/v1/users']?.[0])
    if (request.method !== 'POST' && request.method !== 'PATCH') return answer(response, 204, undefined)
    const body: unknown = JSON.parse(request.body)
    const made = { id: TEAM, name: 'production', scope: 'acme/web/production', protected: true, created_at: at }
    const more = { subject_name: 'alice', allowed_subjects: [], ...Object(body) }
    return answer(response, 201, { ...made, ...more })
  })

describe('a grant', () => {
  for (const [given, subject] of [
    ['user:alice', `user:${ALICE}`],
    ['group:release', `group:${TEAM}`],
    ['service_account:acme/web/ci', `service_account:${CI}`],
    [`user:${CI}`, `user:${CI}`],
  ] as const) {
    test(`is of ${given}`, async () => {
      await using here = await directory()
      const { code, err } = await here.run(['grant', 'create', given, 'editor', 'acme/web'])
      assert.equal(code, 0, err)
      assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), { subject, role: 'editor', team_path: 'acme/web' })
      assert.match(err, /is editor of acme\/web \(grant /)
    })
  }

  test('of nobody is refused, with how a subject is named', async () => {
    await using here = await directory()
    for (const given of ['alice', 'user:', ':alice', 'robot:x']) {
      const { code, err } = await here.run(['grant', 'create', given, 'editor', 'acme/web'])
      assert.equal(code, 2)
      assert.match(err, /names no subject\.\n {2}Write user:<login>, group:<name>/)
    }
    assert.equal((await here.run(['grant', 'create', 'user:bob', 'editor', 'acme/web'])).code, 4)
    assert.deepEqual(
      here.api.seen.filter(({ method }) => method === 'POST'),
      [],
    )
  })
})

describe('an environment', () => {
  test('is named by its scope, and says whom it allows', async () => {
    await using here = await directory()
    const args = [
      'environment',
      'create',
      'acme/web/production',
      '--protected',
      '--allow',
      'user:alice',
      'group:release',
    ]
    const { code, err } = await here.run(args)
    assert.equal(code, 0, err)
    const sent = here.api.seen.at(-1)
    assert.equal(sent?.path, '/v1/teams/acme%2Fweb/environments')
    assert.deepEqual(JSON.parse(sent.body), {
      name: 'production',
      protected: true,
      allowed_subjects: [`user:${ALICE}`, `group:${TEAM}`],
    })
    assert.match(err, /The scope is protected, for 2 subjects\./)
  })

  test('keeps its protection unless it is named', async () => {
    await using here = await directory()
    await here.run(['environment', 'update', 'acme/web/production', '--allow', 'user:alice'])
    assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), { allowed_subjects: [`user:${ALICE}`] })
    await here.run(['environment', 'update', 'acme/web/production', '--no-protected'])
    assert.deepEqual(JSON.parse(here.api.seen.at(-1)?.body ?? ''), { protected: false })
    assert.equal((await here.run(['environment', 'update', 'acme/web/production'])).code, 2)
  })
})

test('a token and the audit are of whom a person names', async () => {
  await using here = await directory()
  const sent = async (...args: readonly string[]) => {
    assert.equal((await here.run(['token', 'create', 'laptop', ...args, '--json'])).code, 0)
    return JSON.parse(here.api.seen.at(-1)?.body ?? '')
  }
  assert.deepEqual(await sent('--user', 'alice'), { name: 'laptop', user_id: ALICE })
  assert.deepEqual(await sent('--service-account', 'acme/web/ci'), { name: 'laptop', service_account_id: CI })
  await here.run(['audit', 'list', '--actor', 'user:alice', '--json'])
  const asked = here.api.seen.find(({ path }) => path.startsWith('/v1/audit'))
  assert.match(asked?.path ?? '', new RegExp(`^/v1/audit\\?subject=${ALICE}&`))
})

test('why one may or may not is asked about oneself, or about a subject by its name', async () => {
  const found = { sentence: 'user:alice lacks run.start on acme.', grants: [], remedies: [] }
  const remedy = { role: 'operator', team_path: 'acme', givers: ['olga'] }
  await using here = await stage((request, response) => {
    const [path = ''] = request.path.split('?')
    return answer(response, 200, path === '/v1/explain/access' ? { ...found, remedies: [remedy] } : LISTS[path])
  })
  const own = await here.run(['why', 'access', 'run.start', 'acme'])
  assert.equal(own.code, 0, own.err)
  assert.match(own.out, /^user:alice lacks run\.start on acme\.\n(.*\n)?operator\tacme\tolga/)
  assert.equal(here.api.seen[0]?.path, '/v1/explain/access?permission=run.start&team_path=acme')
  await here.run(['why', 'access', 'run.start', 'acme', '--subject', 'user:alice'])
  assert.match(here.api.seen.at(-1)?.path ?? '', new RegExp(`\\?subject=user%3A${ALICE}&`))
})

describe('a group', () => {
  test('changes nobody where one login is wrong', async () => {
    await using here = await directory()
    const { code } = await here.run(['group', 'add', 'release', 'alice', 'mallory'])
    assert.equal(code, 4)
    assert.deepEqual(
      here.api.seen.filter(({ method }) => method === 'PUT'),
      [],
    )
    assert.equal((await here.run(['group', 'add', 'release', 'alice'])).code, 0)
    assert.equal(here.api.seen.at(-1)?.path, `/v1/groups/${TEAM}/members/${ALICE}`)
  })
})

describe('the members of a team', () => {
  const right = { grant_id: CI, role: 'owner', team_path: 'acme/web', origin: 'own', group: null, created_at: at }
  const through = { ...right, role: 'operator', team_path: '/', origin: 'group', group: { id: TEAM, name: 'release' } }
  const member = { subject: `user:${ALICE}`, subject_name: 'alice', disabled: false, rights: [right, through] }
  const members = [
    { ...member, hidden_rights: false },
    { ...member, subject: `service_account:${CI}`, subject_name: 'acme/ci', rights: [], hidden_rights: true },
    { ...member, subject_name: 'bob', rights: [right], hidden_rights: true, disabled: true },
    { ...member, subject: null, subject_name: null, rights: [], hidden_rights: true },
  ]

  test('are told with the origin of each right, and what is hidden as hidden', async () => {
    await using here = await stage((_request, response) => answer(response, 200, members))
    const { out, err, code } = await here.run(['team', 'members', 'acme/web', '--role', 'owner', '--name', 'a'])
    assert.equal(code, 0, err)
    assert.deepEqual(out.trimEnd().split('\n'), [
      'user:alice\towner\towner of acme/web; operator of the platform through the group release\t',
      'service_account:acme/ci\t\ta grant that you may not see\t',
      'user:bob\towner\towner of acme/web; another grant that you may not see\tdisabled',
      'others\t\tgrants of teams above',
    ])
    assert.equal(here.api.seen[0]?.path, '/v1/teams/acme%2Fweb/members?role=owner&name=a&limit=50')
  })

  test('of a kind or an origin that is none are refused before anything is asked', async () => {
    await using here = await stage((_request, response) => answer(response, 200, members))
    for (const option of ['--kind', '--origin', '--role']) {
      assert.equal((await here.run(['team', 'members', 'acme', option, 'robot'])).code, 2)
    }
    assert.deepEqual(here.api.seen, [])
  })
})
