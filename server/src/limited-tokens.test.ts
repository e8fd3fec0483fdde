import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { signPush } from './adapters/forges/github/testing.ts'
import { aRunner } from './rooms/catalog/runners/testing.ts'
import { aRun } from './rooms/execution/runs/testing.ts'
import { aGrant, aMember, aMemberOf, aServiceAccount, aToken, aUser } from './rooms/foundation/access/testing.ts'
import { anEnvironment, aTeam } from './rooms/foundation/teams/testing.ts'
import { callTool } from './testing/call-tool.ts'
import { type Method, openTestHouse } from './testing/test-house.ts'

// Attacks with a token that has limits, over all rooms: on what its owner may do without a permission, on what acts later
// as its owner, and on what the owner has been answered.

const house = await openTestHouse()
const { db, http, ask, make } = house

const bystander = await aUser(db, 'bystander')
for (const path of ['acme/api', 'other', 'hidden']) await aTeam(db, path)
const root = await aMember(db, 'root', 'administrator', '/')
const olga = await aMemberOf(db, 'olga', { acme: 'owner', other: 'viewer' })
const ria = await aMemberOf(db, 'ria', { acme: 'owner' })
for (const scope of ['acme/web/test', 'acme/api/test']) await anEnvironment(db, scope)
await anEnvironment(db, 'acme/web/production', { protected: true, allowedSubjects: [`user:${olga.id}`] })
const robot = await aServiceAccount(db, 'acme/web', 'robot')
const rover = { kind: 'service_account', id: await aServiceAccount(db, 'acme/web', 'rover') } as const
for (const path of ['acme/web', 'hidden']) await aGrant(db, `service_account:${rover.id}`, 'viewer', path)
const drone = { kind: 'service_account', id: await aServiceAccount(db, 'acme/web', 'drone') } as const
await aGrant(db, `service_account:${drone.id}`, 'viewer', '/')

const documentOf = (name: string, step = '', task = 'run: echo hi'): string =>
  `name: ${name}\nsteps:\n  - name: a\n${step === '' ? '' : `    ${step}\n`}    tasks:\n      - { name: b, ${task} }\n`
const save = (teamPath: string, document: string) =>
  make(olga.token, 'POST', '/v1/pipelines', { team_path: teamPath, document })
await save('acme/web', documentOf('build'))
await save('acme/web', documentOf('deploy', 'scope: acme/web/production'))
await save('acme/web', documentOf('parent', '', 'pipeline: acme/web/deploy'))
await save('acme/api', documentOf('build'))

const hook = { name: 'hook', value: 'a long value of the hook' }
await make(olga.token, 'POST', '/v1/secrets', { team_path: 'acme', ...hook })
await make(olga.token, 'POST', '/v1/secrets', { team_path: 'acme/web', ...hook })
const sourceOf = (team: string, repository: string) =>
  make(olga.token, 'POST', '/v1/git-webhook-sources', {
    name: team,
    provider: 'github',
    team_path: team,
    credential_ref: `secret:${team}/hook`,
    repository_allowlist: [repository],
  })
/** Hidden from a token of acme/web; it reads whatever its credential may. */
const above = await sourceOf('acme', 'acme/*')
const beside = await sourceOf('acme/web', 'acme/widgets')

async function limited(limits: object): Promise<{ readonly id: string; readonly token: string }> {
  const { status, body, text } = await ask(olga.token, 'POST', '/v1/tokens', { name: 'agent', ...limits })
  assert.equal(status, 201, text)
  return { id: String(body['id']), token: String(body['token']) }
}

const START = ['pipeline.read', 'run.read', 'run.start', 'environment.read', 'scope.use']
const web = await limited({ team_path: 'acme/web' })
const reader = await limited({ read_only: true })
const starter = await limited({ permissions: START, team_path: 'acme/web' })
/** Starts, and uses no scope by itself. */
const noScope = await limited({
  permissions: [
    ...START.filter((name) => name !== 'scope.use'),
    'trigger.write',
    'schedule.write',
    'pipeline.write',
    'webhook_source.read',
  ],
})

const trigger = { name: 'on-push', repositories: ['acme/widgets'], events: ['push'], pipeline: 'acme/web/build' }
const schedule = { name: 'nightly', schedule_kind: 'recurring', cron_expression: '30 2 * * *' }
/** What the token of acme/web may start. */
const START_HERE = { name: 'x', team_path: 'acme/web', pipeline: 'acme/web/build', scope: 'acme/web/test' }
const code = async (...asked: Parameters<typeof ask>) => {
  const { status, body } = await ask(...asked)
  return `${status} ${String(body['code'] ?? '')}`.trim()
}

describe('limits are given', () => {
  test('to a token of oneself and of a service account; list, audit and the token itself tell them', async () => {
    const limits = { permissions: ['run.read'], team_path: 'acme/web', read_only: true, families: ['runs'] }
    const { id, token } = await limited(limits)
    const own = await ask(token, 'GET', '/v1/auth/me')
    assert.deepEqual(own.body['token'], { id, name: 'agent', ...limits })
    const { capabilities } = JSON.parse(own.text)
    assert.deepEqual(capabilities.permissions, { 'acme/web': ['run.read'] })
    assert.deepEqual([capabilities.start_runs, capabilities.administrator], [false, false])
    const itself = JSON.parse((await ask(token, 'GET', '/v1/tokens')).text)
    assert.deepEqual(
      itself.map((one: { id: string }) => one.id),
      [id],
      'and no other of its owner',
    )
    const all = JSON.parse((await ask(olga.token, 'GET', '/v1/tokens?own=true')).text)
    const found = all.find((one: { id: string }) => one.id === id)
    assert.deepEqual({ ...found, ...limits }, found)
    const audited = JSON.parse((await ask(olga.token, 'GET', `/v1/audit?resource=token:${id}`)).text)
    assert.deepEqual(audited, [], 'tokens of users are of the platform')
    const ofRobot = { service_account_id: robot, name: 'robot', read_only: true }
    const made = await ask(olga.token, 'POST', '/v1/tokens', ofRobot)
    assert.equal(made.status, 201, made.text)
    const [record] = JSON.parse((await ask(olga.token, 'GET', `/v1/audit?resource=token:${made.body['id']}`)).text)
    assert.deepEqual(record.after.limits, { permissions: null, team_path: null, read_only: true, families: null })
  })

  test('so that a server of an older version, which knows none, does not find the token', async () => {
    const { token } = await limited({ read_only: true })
    const digestOf = (text: string) => createHash('sha256').update(text).digest()
    const found = (text: string) =>
      db.selectFrom('tokens').select('id').where('token_sha256', '=', digestOf(text)).execute()
    assert.deepEqual(await found(token), [])
    assert.equal((await found(olga.token)).length, 1)
    assert.equal(await code(token, 'GET', '/v1/auth/me'), '200')
  })

  test('that name nothing known, or what no token with limits has, are refused by their field', async () => {
    for (const [limits, field] of [
      [{ permissions: ['run.fly'] }, /^permissions/],
      [{ permissions: [] }, /^permissions/],
      [{ permissions: ['run.read', 'token.write'] }, /^permissions$/],
      [{ families: ['planes'] }, /^families/],
      [{ team_path: 'Acme//web' }, /^team_path/],
    ] as const) {
      const { status, body } = await ask(olga.token, 'POST', '/v1/tokens', { name: 'agent', ...limits })
      assert.equal(status, 400)
      const [first] = Array.isArray(body['errors']) ? body['errors'] : []
      assert.match(first.field, field)
    }
    const beyond = await limited({ permissions: ['system.read'], team_path: 'other' })
    assert.equal(await code(beyond.token, 'GET', '/v1/auth/me'), '200', 'its owner may be given that later')
  })
})

describe('what an owner may do without a permission', () => {
  test('is refused to a token with limits, and nothing is made or changed', async () => {
    const spare = await make(olga.token, 'POST', '/v1/tokens', { name: 'spare' })
    const attacks: readonly (readonly [method: Method, url: string, payload: object | undefined, expected: string])[] =
      [
        ['POST', '/v1/tokens', { name: 'more' }, '403 token_limited'],
        ['POST', '/v1/tokens', { name: 'more', service_account_id: robot }, '403 token_limited'],
        ['DELETE', `/v1/tokens/${spare}`, undefined, '404 not_found'],
        ['PATCH', `/v1/users/${olga.id}`, { name: 'Mallory' }, '403 forbidden'],
        [
          'POST',
          '/v1/grants',
          { subject: `user:${bystander}`, role: 'viewer', team_path: 'acme/web' },
          '403 forbidden',
        ],
        ['POST', '/v1/service-accounts', { team_path: 'acme/web', name: 'mole' }, '403 forbidden'],
        ['PATCH', `/v1/service-accounts/${robot}`, { disabled: true }, '403 forbidden'],
        ['GET', '/v1/sessions', undefined, '403 token_limited'],
        ['DELETE', '/v1/sessions', undefined, '403 token_limited'],
        ['DELETE', '/v1/sessions/current', undefined, '403 token_limited'],
        ['POST', '/v1/sign-in/sso/link', {}, '403 token_limited'],
        ['GET', `/v1/users/${olga.id}/identities`, undefined, '403 token_limited'],
        ['GET', '/v1/preferences', undefined, '403 token_limited'],
        ['GET', '/v1/mcp/calls', undefined, '403 token_limited'],
        ['PUT', '/v1/preferences', {}, '403 token_limited'],
        ['POST', '/v1/git/events', {}, '403 token_limited'],
        ['POST', '/v1/runners/enrollments', { team_path: 'acme/web', scopes: ['acme/**'] }, '403 token_limited'],
        [
          'POST',
          '/v1/external-triggers',
          { team_path: 'acme/web', name: 'deploy', pipeline: 'acme/web/build', scope: 'acme/web/test' },
          '403 token_limited',
        ],
        ['DELETE', '/v1/auth/bootstrap', undefined, '403 forbidden'],
      ]
    const before = await count()
    for (const [method, url, payload, expected] of attacks) {
      assert.equal(await code(web.token, method, url, payload), expected, `${method} ${url}`)
    }
    assert.deepEqual(await count(), before)
    const self = JSON.parse((await ask(olga.token, 'GET', `/v1/users/${olga.id}`)).text)
    assert.equal(self.name, 'olga')
    const own = JSON.parse((await ask(web.token, 'GET', '/v1/tokens')).text)
    assert.deepEqual(
      own.map((one: { id: string }) => one.id),
      [web.id],
    )
  })

  test('but it may end itself', async () => {
    const { id, token } = await limited({ team_path: 'acme/web' })
    assert.equal(await code(token, 'DELETE', `/v1/tokens/${id}`), '204')
    assert.equal(await code(token, 'GET', '/v1/auth/me'), '401 unauthenticated')
  })
})

async function count(): Promise<readonly number[]> {
  const tables = ['tokens', 'grants', 'runner_enrollments'] as const
  // What is made for other tests meanwhile is of other teams.
  const ofTeam = ['service_accounts', 'external_triggers'] as const
  const rows = await Promise.all([
    ...tables.map((table) => db.selectFrom(table).select('id').execute()),
    ...ofTeam.map((table) => db.selectFrom(table).select('id').where('team_path', '=', 'acme/web').execute()),
  ])
  return rows.map(({ length }) => length)
}

describe('what a token with limits sees', () => {
  test('is what the limits leave: in lists, by name, in a search and of a topic', async () => {
    const identifiers = async (token: string) =>
      JSON.parse((await ask(token, 'GET', '/v1/pipelines')).text)
        .map((one: { identifier: string }) => one.identifier)
        .toSorted()
    const seen = ['acme/web/build', 'acme/web/deploy', 'acme/web/parent', 'acme/web/tools']
    assert.deepEqual(await identifiers(web.token), seen)
    assert.equal((await identifiers(reader.token)).length, 7)
    assert.deepEqual(await identifiers((await limited({ families: ['runs'] })).token), [])
    const [hidden, absent] = await Promise.all(
      ['acme/api/build', 'acme/api/absent'].map((name) =>
        ask(web.token, 'GET', `/v1/pipelines/${encodeURIComponent(name)}`),
      ),
    )
    assert.deepEqual([hidden?.status, absent?.status], [404, 404])
    const found = await ask(web.token, 'GET', '/v1/search?q=build')
    assert.doesNotMatch(found.text, /acme\/api/)
    assert.match(found.text, /acme\/web\/build/)
    assert.equal(await code(web.token, 'GET', '/v1/live?topics=runs:acme/api'), '404 not_found')
  })
})

describe('a token that only reads', () => {
  test('asks whatever changes nothing, and writes nothing', async () => {
    const document = documentOf('new')
    assert.equal(await code(reader.token, 'POST', '/v1/pipelines/validate', { document, team_path: 'acme/web' }), '200')
    assert.equal(await code(reader.token, 'POST', '/v1/runners/verdicts', { scope: 'acme/web/test' }), '200')
    const writes: readonly (readonly [method: Method, url: string, payload: object | undefined])[] = [
      ['POST', '/v1/pipelines', { document, team_path: 'acme/web' }],
      ['POST', '/v1/pipelines/acme%2Fweb%2Fbuild/runs', { scope: 'acme/web/test' }],
      ['POST', `/v1/runs/${bystander}/approvals/step`, { decision: 'approve' }],
      ['DELETE', `/v1/tokens/${reader.id}`, undefined],
    ]
    for (const [method, url, payload] of writes) {
      assert.equal(await code(reader.token, method, url, payload), '403 token_limited', url)
    }
  })
})

describe('what a token with limits starts', () => {
  const run = (pipeline: string) => `/v1/pipelines/${encodeURIComponent(pipeline)}/runs`

  test('runs, of what it may use itself', async () => {
    assert.equal(await code(starter.token, 'POST', run('acme/web/build'), { scope: 'acme/web/test' }), '202')
    assert.equal(await code(starter.token, 'POST', run('acme/web/build'), { scope: 'acme/web/production' }), '202')
    const beyond = await code(starter.token, 'POST', run('acme/web/build'), { scope: 'acme/api/test' })
    assert.equal(beyond, '400 run.not_startable', 'hidden like an absent one')
    assert.equal(await code(starter.token, 'POST', run('acme/api/build'), { scope: 'acme/web/test' }), '404 not_found')
    for (const pipeline of ['acme/web/build', 'acme/web/deploy']) {
      const scope = pipeline === 'acme/web/build' ? 'acme/web/production' : 'acme/web/test'
      assert.equal(await code(noScope.token, 'POST', run(pipeline), { scope }), '403 forbidden', pipeline)
    }
    const parent = await ask(web.token, 'POST', run('acme/web/parent'), { scope: 'acme/web/test' })
    assert.equal(parent.status, 403)
    assert.match(parent.text, /A token with limits starts nothing that starts acme\/web\/deploy/)
  })

  test('nothing later that it may not start now: by a trigger, a schedule or a pipeline', async () => {
    const own = { ...trigger, source_id: beside, team_path: 'acme/web' }
    const triggerOf = (pipeline: string, scope: string) => ({ ...own, pipeline, scope })
    const scheduleOf = (pipeline: string, scope: string) => ({ ...schedule, path: 'acme/web', pipeline, scope })
    const writing = ['trigger.write', 'schedule.write', 'webhook_source.read']
    const narrow = await limited({ permissions: [...START, ...writing], team_path: 'acme/web' })
    const writes = [
      [noScope.token, '/v1/triggers', triggerOf('acme/web/build', 'acme/web/production')],
      [noScope.token, '/v1/triggers', triggerOf('acme/web/deploy', 'acme/web/production')],
      [narrow.token, '/v1/triggers', triggerOf('acme/web/parent', 'acme/web/test')],
      [noScope.token, '/v1/schedules', scheduleOf('acme/web/build', 'acme/web/production')],
      [narrow.token, '/v1/schedules', scheduleOf('acme/web/parent', 'acme/web/test')],
    ] as const
    for (const [token, url, payload] of writes) {
      const answer = await ask(token, 'POST', url, payload)
      assert.equal(answer.status, 403, `${url} ${JSON.stringify(payload)}: ${answer.text}`)
    }
    assert.equal(await code(narrow.token, 'POST', '/v1/triggers', triggerOf('acme/web/build', 'acme/web/test')), '201')
    assert.equal(
      await code(narrow.token, 'POST', '/v1/triggers', {
        ...triggerOf('acme/web/deploy', 'acme/web/test'),
        name: 'deploys',
      }),
      '201',
      'the protected scope that the pipeline names is within its limits, and names its owner',
    )
    const other = await limited({ permissions: [...START, 'pipeline.write'], team_path: 'acme/api' })
    for (const document of [
      documentOf('reach', 'scope: acme/web/production'),
      documentOf('reach', '', 'pipeline: acme/api/build'),
    ]) {
      const reach = await ask(other.token, 'POST', '/v1/pipelines', { team_path: 'acme/api', document })
      assert.equal(`${reach.status} ${reach.body['code']}`, '400 pipeline.invalid', reach.text)
    }
    const override = { pipeline: 'acme/web/build', scope: 'acme/web/test' }
    assert.equal(await code(web.token, 'PUT', '/v1/overrides/acme/widgets', override), '403 forbidden')
  })
})

describe('a repository beyond the limits, which the owner may read', () => {
  const start = { pipeline: 'acme/web/build', scope: 'acme/web/test' }
  const refusal = async (...asked: Parameters<typeof ask>) => {
    const { status, body, text } = await ask(...asked)
    const [first] = Array.isArray(body['errors']) ? body['errors'] : []
    return `${status} ${first?.field ?? text}`
  }

  test('feeds no trigger: it names a source that the token may connect', async () => {
    const all = { ...trigger, ...start, name: 'all', team_path: 'acme/web', repositories: ['**'] }
    const write = (given: object, token = web.token) => refusal(token, 'POST', '/v1/triggers', { ...all, ...given })
    assert.equal(await write({}), '400 source_id')
    assert.equal(await write({ source_id: null }), '400 source_id')
    assert.equal(await write({ source_id: above }), '400 source_id')
    assert.equal(await write({ source_id: bystander }), '400 source_id', 'hidden like an absent one')
    // Shared with everybody, and for a token with limits only where these leave it to be seen.
    await db.updateTable('webhook_sources').set({ visibility: 'shared' }).where('id', '=', above).execute()
    assert.equal(await write({ source_id: above }), '400 source_id')
    await db.updateTable('webhook_sources').set({ visibility: 'private' }).where('id', '=', above).execute()
    const id = await make(web.token, 'POST', '/v1/triggers', { ...all, source_id: beside })
    assert.equal(await refusal(web.token, 'PATCH', `/v1/triggers/${id}`, { source_id: null }), '400 source_id')
    const open = await make(olga.token, 'POST', '/v1/triggers', { ...all, name: 'open' })
    assert.equal(await refusal(web.token, 'PATCH', `/v1/triggers/${open}`, { branches: ['x'] }), '400 source_id')
  })

  test('is checked out by no schedule and no backfill: the token finds it itself', async () => {
    const secret = { ...schedule, ...start, name: 'secret', path: 'acme/web', repository: 'acme/secret', ref: 'main' }
    const owned = await make(olga.token, 'POST', '/v1/schedules', secret)
    const url = `/v1/schedules/${owned}`
    const plain = await make(web.token, 'POST', '/v1/schedules', {
      ...secret,
      name: 'plain',
      repository: null,
      ref: null,
    })
    const { repository, ref } = secret
    const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-03T00:00:00Z' }
    const writes: readonly (readonly [method: Method, url: string, payload: object | undefined])[] = [
      ['POST', '/v1/schedules', { ...secret, name: 'mine' }],
      ['PATCH', `/v1/schedules/${plain}`, { repository, ref }],
      ['PATCH', url, { timezone: 'Europe/Berlin' }],
      ['PUT', url, secret],
      ['POST', `${url}/backfill`, range],
      ['POST', `${url}/run`, undefined],
    ]
    for (const [method, to, payload] of writes) {
      assert.equal(await refusal(web.token, method, to, payload), '400 repository', `${method} ${to}`)
    }
    await make(web.token, 'POST', `${url}/disable`)
    assert.equal(await refusal(web.token, 'POST', `${url}/enable`), '400 repository')
    await make(web.token, 'PATCH', `/v1/schedules/${plain}`, { timezone: 'Europe/Berlin' })
  })
})

describe('a rerun by a token with limits', async () => {
  const pipeline = await save(
    'acme/web',
    documentOf('tools', '', 'run: ./build').replace('steps:', 'variables: { A: a }\nsteps:'),
  )
  const { id: versionId } = await db
    .selectFrom('pipeline_versions')
    .select('id')
    .where('pipeline_id', '=', pipeline)
    .executeTakeFirstOrThrow()
  const runOf = async (repository: string, more: object = {}) => {
    const id = await aRun(db, { id: pipeline, versionId }, { scope: 'acme/web/test', variables: { A: 'a' } })
    const checkout = {
      repository,
      ref: 'refs/heads/main',
      clone_url: `https://git.example.com/${repository}.git`,
      commit_sha: 'a'.repeat(40),
      checkout_credential_ref: 'secret:acme/hook',
    }
    await db
      .updateTable('runs')
      .set({ ...checkout, ...more })
      .where('id', '=', id)
      .execute()
    return id
  }
  const [secret, absent] = [await runOf('acme/secret'), await runOf('acme/absent')]
  const rerun = (id: string, wish: object, token = web.token) => ask(token, 'POST', `/v1/runs/${id}/rerun`, wish)
  const countRuns = async () => (await db.selectFrom('runs').select('id').execute()).length

  test('reads no repository with a document or variables of its own that it could not read by itself', async () => {
    const document = documentOf('tools', '', 'run: cat secrets').replace('steps:', 'variables: { A: a }\nsteps:')
    const runs = await countRuns()
    for (const wish of [{ variables: { A: 'cat secrets' } }, { document: 'newest' }]) {
      await make(web.token, 'PUT', '/v1/pipelines/acme%2Fweb%2Ftools', { document })
      const [hidden, none] = [await rerun(secret, wish), await rerun(absent, wish)]
      assert.deepEqual([hidden.status, hidden.body['code']], [400, 'run.not_startable'], JSON.stringify(wish))
      assert.match(hidden.text, /"field":"repository"/)
      const words = (text: string) => text.replaceAll('acme/secret', 'acme/absent').replace(/"request_id":"[^"]*"/, '')
      assert.equal(words(hidden.text), words(none.text), 'what is hidden looks absent')
      assert.equal((await ask(web.token, 'POST', `/v1/runs/${secret}/rerun?dry_run=true`, wish)).status, 400)
    }
    assert.equal(await countRuns(), runs)
    assert.equal((await rerun(secret, {})).status, 202, 'as it was: its document decides')
    assert.equal((await rerun(secret, { document: 'newest' }, olga.token)).status, 202, 'its owner may')
  })

  test('takes over nothing that tasks left, and no secret variable, for a document of its own', async () => {
    const sealed = await runOf('acme/secret', { sealed_variables: { B: 'sealed' }, checkout_credential_ref: null })
    const plain = await runOf('acme/widgets', { checkout_credential_ref: null })
    const runs = await countRuns()
    for (const [id, wish] of [
      [sealed, { document: 'newest' }],
      [plain, { document: 'newest', mode: 'failed' }],
      [plain, { document: 'newest', mode: 'step', step: 'a' }],
    ] as const) {
      const answer = await rerun(id, wish)
      assert.equal(`${answer.status} ${answer.body['code']}`, '403 forbidden', answer.text)
    }
    assert.equal(await countRuns(), runs)
    assert.equal((await rerun(plain, { document: 'newest' })).status, 202)
  })

  test('hands what the old run had to no pipeline that its document starts, which the token may have changed', async () => {
    await make(web.token, 'POST', '/v1/pipelines', {
      team_path: 'acme/web',
      document: documentOf('kid', '', 'run: cat -r .'),
    })
    const document = documentOf('tools', '', 'pipeline: acme/web/kid').replace('steps:', 'variables: { A: a }\nsteps:')
    const url = '/v1/pipelines/acme%2Fweb%2Ftools'
    assert.equal(await code(web.token, 'PUT', url, { document }), '400 pipeline.invalid', 'it starts none')
    await make(olga.token, 'PUT', url, { document })
    const newest = await db
      .selectFrom('pipeline_versions')
      .select('id')
      .where('pipeline_id', '=', pipeline)
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow()
    const parent = await runOf('acme/secret', { pipeline_version_id: newest.id })
    const runs = await countRuns()
    for (const [id, wish] of [
      [secret, { document: 'newest' }],
      [parent, {}],
      [parent, { document: 'newest' }],
      [parent, { mode: 'failed' }],
    ] as const) {
      const answer = await rerun(id, wish)
      assert.equal(`${answer.status} ${answer.body['code']}`, '403 forbidden', answer.text)
      assert.match(answer.text, /A token with limits starts nothing that starts acme\/web\/kid/)
    }
    assert.equal(await countRuns(), runs)
    const ofOwner = await rerun(parent, {}, olga.token)
    const { checkout_credential_ref: credential } = await db
      .selectFrom('runs')
      .select('checkout_credential_ref')
      .where('id', '=', String(ofOwner.body['run_id']))
      .executeTakeFirstOrThrow()
    assert.equal(credential, 'secret:acme/hook', 'its owner repeats it as it was')
  })
})

describe('a pipeline that an agent saves', async () => {
  await aTeam(db, 'acme/ops')
  await anEnvironment(db, 'acme/ops/test')
  const LIB = 'acme/api/lib'
  await save('acme/api', documentOf('lib'))
  const narrow = await limited({ team_path: 'acme/api' })
  const planOf = async (token: string, action = 'replacePipeline') => {
    const given = action === 'replacePipeline' ? { params: { id: LIB }, body: { document: documentOf('lib') } } : GONE
    const answer = await ask(token, 'POST', '/v1/plans', { action, ...given })
    assert.equal(answer.status, 201, answer.text)
    return answer
  }
  const GONE = { body: { team_path: 'acme/api', document: documentOf('gone') } }
  const later = (url: string, given: object, nameOf: (id: string) => string = (id) => `${url}/${id}`) =>
    async function put(scope: string) {
      const id = await make(olga.token, 'POST', url, { name: 'uses', pipeline: LIB, scope, ...given })
      return () => make(olga.token, 'DELETE', nameOf(id))
    }
  const parentOf = (team: string, pipeline: string, isInStep: boolean) =>
    async function put(scope: string) {
      const id = await save(team, documentOf('uses', isInStep ? `scope: ${scope}` : '', `pipeline: ${pipeline}`))
      return () => make(olga.token, 'DELETE', `/v1/pipelines/${id}`)
    }
  const triggerOf = (pipeline: string) =>
    later('/v1/triggers', { ...trigger, name: 'uses', team_path: 'acme/ops', pipeline })

  test('and others run counts where they run it, whoever sees that', async () => {
    const rules: Readonly<Record<string, (scope: string) => Promise<() => Promise<unknown>>>> = {
      trigger: triggerOf(LIB),
      schedule: later('/v1/schedules', { ...schedule, name: 'uses', path: 'acme/ops', pipeline: LIB }),
      external: later('/v1/external-triggers', { team_path: 'acme/ops' }),
      async override(scope) {
        await make(olga.token, 'PUT', '/v1/overrides/acme/uses', { pipeline: LIB, scope })
        return () => make(olga.token, 'DELETE', '/v1/overrides/acme/uses')
      },
      'step of a parent': parentOf('acme/ops', LIB, true),
      async 'trigger of a parent'(scope) {
        const end = await parentOf('acme/ops', LIB, false)(scope)
        const undo = await triggerOf('acme/ops/uses')(scope)
        return async () => [await undo(), await end()]
      },
    }
    for (const [kind, put] of Object.entries(rules)) {
      for (const scope of ['acme/web/test', 'acme/web/production']) {
        const undo = await put(scope)
        const expected = scope === 'acme/web/production' ? 'person' : 'agent'
        const [seen, hidden] = [await planOf(olga.token), await planOf(narrow.token)]
        assert.equal(seen.body['confirmation'], expected, `${kind} in ${scope}`)
        assert.equal(hidden.body['confirmation'], expected, `${kind} in ${scope}, hidden`)
        if (expected === 'person') {
          assert.match(String(seen.body['confirmation_reason']), /acme\/web\/production is protected/)
          // An override is of the team of its pipeline: the planner sees the rule, and not its scope.
          const told = kind === 'override' ? 'It may reach a protected environment' : 'The pipeline is used where'
          assert.ok(String(hidden.body['confirmation_reason']).startsWith(told), `${kind}: ${hidden.text}`)
        }
        assert.doesNotMatch(hidden.text, /acme\/(web|ops)|uses/, kind)
        await undo()
      }
    }
  })

  test('waits for a person, and is not saved meanwhile', async () => {
    const undo = await triggerOf(LIB)('acme/web/production')
    const { body } = await planOf(narrow.token)
    const { id, action, target } = body
    assert.equal((await ask(narrow.token, 'POST', `/v1/plans/${id}/confirm`, { action, target })).status, 202)
    assert.equal((await ask(olga.token, 'GET', `/v1/pipelines/${encodeURIComponent(LIB)}`)).body['version'], 1)
    await undo()
  })

  test('counts by the environments of a parent, by what is disabled and by what named it before; not by what has expired', async () => {
    const end = await parentOf('acme/web', LIB, false)('')
    assert.equal((await planOf(narrow.token)).body['confirmation'], 'person', 'its team may start it in production')
    await end()
    const disabled = await later('/v1/triggers', {
      ...trigger,
      name: 'uses',
      team_path: 'acme/ops',
      pipeline: LIB,
      enabled: false,
    })('acme/web/production')
    assert.equal((await planOf(narrow.token)).body['confirmation'], 'person')
    await disabled()
    const gone = await save('acme/api', documentOf('gone'))
    const undo = await triggerOf('acme/api/gone')('acme/web/production')
    await make(olga.token, 'DELETE', `/v1/pipelines/${gone}`)
    assert.equal((await planOf(narrow.token, 'createPipeline')).body['confirmation'], 'person')
    await undo()
    assert.equal((await planOf(narrow.token, 'createPipeline')).body['confirmation'], 'agent')
    await make(olga.token, 'PUT', '/v1/overrides/acme/uses', { pipeline: LIB, scope: 'acme/web/production' })
    await db
      .updateTable('overrides')
      .set({ expires_at: new Date(0) })
      .where('pipeline', '=', LIB)
      .execute()
    assert.equal((await planOf(narrow.token)).body['confirmation'], 'agent')
    await make(olga.token, 'DELETE', '/v1/overrides/acme/uses')
  })
})

describe('what starts by itself', () => {
  const START_OF = { pipeline: 'acme/web/build', scope: 'acme/web/test' }
  const planned = async (token: string, action: string, params: object, body?: object) => {
    const given = { action, params, ...(body === undefined ? {} : { body }) }
    const { status, text } = await ask(token, 'POST', '/v1/plans', given)
    return { status, text, codes: [...text.matchAll(/"code":"([a-z_.]+)"/g)].map(([, found]) => found) }
  }

  test('is stopped by a token that could not start it, and keeps its owner; it is not started again', async () => {
    const named = { ...trigger, ...START_OF, name: 'of-ria', team_path: 'acme/web' }
    const id = await make(ria.token, 'POST', '/v1/triggers', named)
    const url = `/v1/triggers/${id}`
    assert.equal(await code(reader.token, 'PATCH', url, { enabled: false }), '403 token_limited')
    assert.equal(await code(web.token, 'PATCH', url, { enabled: false, branches: ['x'] }), '400 trigger.invalid')
    assert.ok(
      (await planned(web.token, 'updateTrigger', { id }, { enabled: false })).codes.includes('trigger.is_disabled'),
    )
    const stopped = await ask(web.token, 'PATCH', url, { enabled: false })
    assert.deepEqual([stopped.status, stopped.body['enabled']], [200, false], stopped.text)
    assert.deepEqual(stopped.body['owner'], { kind: 'user', id: ria.id, name: 'ria' })
    const again = await planned(web.token, 'updateTrigger', { id }, { enabled: false })
    assert.ok(again.codes.includes('trigger.stays'), again.text)
    assert.match(again.text, /"target":"trigger acme\/web\/of-ria"/)
    assert.equal(await code(web.token, 'PATCH', url, { enabled: true }), '400 trigger.invalid')
    const beyond = await make(ria.token, 'POST', '/v1/triggers', { ...named, team_path: 'acme/api', name: 'beyond' })
    const [hidden, none] = [beyond, bystander].map((other) =>
      code(web.token, 'PATCH', `/v1/triggers/${other}`, { enabled: false }),
    )
    assert.deepEqual([await hidden, await none], ['404 not_found', '404 not_found'])
  })

  test('is stopped by an agent where it is a schedule, and enabled by whoever may start it', async () => {
    const secret = { repository: 'acme/secret', ref: 'main' }
    const given = { ...schedule, ...START_OF, path: 'acme/web', name: 'of-ria' }
    const id = await make(ria.token, 'POST', '/v1/schedules', { ...given, ...secret })
    const disable = { change: 'disable', schedule: 'acme/web/of-ria' }
    const { facts } = await callTool(house, web.token, 'plan_schedule', disable)
    assert.deepEqual([facts.action, facts.confirmation], ['disableSchedule', 'agent'])
    const [{ tool, arguments: confirmation }] = facts.next
    assert.equal((await callTool(house, web.token, tool, confirmation)).facts.status, 'confirmed')
    const { body } = await ask(olga.token, 'GET', `/v1/schedules/${id}`)
    assert.deepEqual([body['enabled'], body['owner']], [false, { kind: 'user', id: ria.id, name: 'ria' }])
    assert.ok((await planned(web.token, 'disableSchedule', { id })).codes.includes('schedule.stays'))
    assert.equal((await planned(web.token, 'enableSchedule', { id })).status, 400, 'no source of its own reads it')
    const enabled = await planned(olga.token, 'enableSchedule', { id })
    assert.ok(enabled.codes.includes('schedule.fires_next'), enabled.text)
  })
})

describe('an answer that its owner had', () => {
  test('is not repeated to a token with limits, whatever the key', async () => {
    const headers = { authorization: `Bearer ${olga.token}`, 'idempotency-key': 'k-1' }
    const request: InjectOptions = {
      method: 'POST',
      url: '/v1/teams',
      payload: { path: 'acme/web/new' },
    }
    const first = await http.app.inject({ ...request, headers })
    assert.equal(first.statusCode, 201, first.body)
    const again = await http.app.inject({ ...request, headers })
    assert.equal(again.headers['idempotency-replayed'], 'true')
    const mine = await http.app.inject({ ...request, headers: { ...headers, authorization: `Bearer ${web.token}` } })
    assert.equal(mine.statusCode, 409, 'its own request: the team exists')
    assert.equal(mine.headers['idempotency-replayed'], undefined)
  })
})

describe('a team beyond the limits, of which the owner sees everything', async () => {
  for (const path of ['acme/vault', 'acme/vault/deep']) await aTeam(db, path)
  await anEnvironment(db, 'acme/vault/prod')
  await make(olga.token, 'POST', '/v1/secrets', { team_path: 'acme/vault', ...hook })
  const V = { pipeline: 'acme/vault/vault', scope: 'acme/vault/prod' }
  const pipelineId = await save('acme/vault', documentOf('vault', 'scope: acme/vault/prod'))
  const sourceId = await sourceOf('acme/vault', 'acme/widgets')
  const post = (url: string, given: object) => make(olga.token, 'POST', url, { name: 'vault', ...given })
  const triggerId = await post('/v1/triggers', { ...trigger, ...V, name: 'vault', team_path: 'acme/vault' })
  const scheduleId = await post('/v1/schedules', { ...schedule, ...V, name: 'vault', path: 'acme/vault' })
  const externalId = await post('/v1/external-triggers', { ...V, team_path: 'acme/vault' })
  const runId = await make(olga.token, 'POST', '/v1/pipelines/acme%2Fvault%2Fvault/runs', { scope: V.scope })
  const ownRun = await make(olga.token, 'POST', '/v1/pipelines/acme%2Fweb%2Fbuild/runs', { scope: 'acme/web/test' })
  const { id: runnerId } = await aRunner(db, { teamPath: 'acme/vault', scopes: ['acme/vault/**'], name: 'vault' })
  const accountId = await aServiceAccount(db, 'acme/vault', 'vault')
  const { headers, body: payload } = signPush({ secret: hook.value })
  await http.app.inject({ method: 'POST', url: `/v1/git/webhooks/${sourceId}`, headers, payload })
  const deliveries = await ask(olga.token, 'GET', `/v1/git-webhook-sources/${sourceId}/deliveries`)
  const deliveryId: string = JSON.parse(deliveries.text)[0].id
  const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-03T00:00:00Z' }
  const backfillId = await make(olga.token, 'POST', `/v1/schedules/${scheduleId}/backfill`, range)

  test('is in no list, no count and no search', async () => {
    const document: unknown = (await http.app.inject('/v1/openapi.json')).json()
    const paths: Readonly<Record<string, { readonly get?: { readonly security?: unknown } }>> = Object(document).paths
    const lists = Object.keys(paths).filter(
      (path) => path.startsWith('/v1/') && !path.includes('{') && paths[path]?.get,
    )
    const questions = [
      '/v1/search?q=vault',
      '/v1/find?q=acme/vault/vault',
      `/v1/find?q=${runId}`,
      '/v1/find?q=acme/widgets',
      '/v1/explain/push?repository=acme/widgets',
      '/v1/events?repository=acme/widgets',
      '/v1/overrides/acme/widgets/resolution',
      '/v1/repositories/acme/widgets/branches',
      '/v1/teams/acme%2Fweb/counts',
      '/v1/teams/acme/counts',
      '/v1/pipelines?secret=acme/vault/hook',
      '/v1/git-webhook-sources?credential_ref=secret:acme/vault/hook',
      `/v1/audit?token=${bystander}`,
      '/v1/runs?repository=acme/widgets',
    ]
    let seen = 0
    for (const url of [...lists, ...questions]) {
      const told = async (token: string) =>
        (await ask(token, 'GET', url)).text.replaceAll(/"(detail|instance)":"[^"]*"/g, '')
      if (/vault/.test(await told(olga.token))) seen += 1
      assert.doesNotMatch(await told(web.token), /vault/, url)
    }
    assert.ok(seen >= 12, `its owner sees the team in ${seen} answers`)
  })

  test('answers as an absent one does, whatever is asked of it and however', async () => {
    const none = bystander
    const ids = [
      sourceId,
      triggerId,
      scheduleId,
      externalId,
      runId,
      runnerId,
      accountId,
      deliveryId,
      backfillId,
      pipelineId,
    ]
    const P = encodeURIComponent(V.pipeline)
    const body = { ...V, name: 'x', team_path: 'acme/web' }
    const attacks: readonly (readonly [method: Method, url: string, payload?: object])[] = [
      ...[
        '',
        '/status',
        '/outputs',
        '/final-outputs',
        '/logs',
        '/logs/download',
        '/artifacts',
        '/reports',
        '/commands',
      ].map((part) => ['GET', `/v1/runs/${runId}${part}`] as const),
      ['GET', `/v1/runs/${runId}/last-success`],
      ['GET', `/v1/runs/${ownRun}/compare/${runId}`],
      ['GET', `/v1/explain/changes?run_id=${ownRun}&with=${runId}`],
      ...['run', 'failure', 'changes'].map((what) => ['GET', `/v1/explain/${what}?run_id=${runId}`] as const),
      ['POST', `/v1/runs/${runId}/cancel`],
      ['POST', `/v1/runs/${runId}/rerun`, { document: 'newest' }],
      ['POST', `/v1/runs/${runId}/approvals/a`, { decision: 'approve' }],
      ['POST', `/v1/runs/${runId}/logs/scrub`, { values: ['a long value'] }],
      ['GET', `/v1/explain/schedule?schedule=${P}`],
      ['GET', `/v1/explain/push?delivery_id=${deliveryId}`],
      ['GET', `/v1/explain/access?permission=run.start&team_path=acme/vault`],
      ['GET', `/v1/pipeline-results?pipeline=${pipelineId}`],
      ['GET', `/v1/pipelines/${P}/versions`],
      ['POST', `/v1/pipelines/${P}/runs`, { scope: 'acme/web/test' }],
      ['POST', '/v1/pipelines/acme%2Fweb%2Fbuild/runs', { scope: V.scope }],
      ['POST', '/v1/pipelines/validate', { team_path: 'acme/vault', document: documentOf('x') }],
      ['POST', '/v1/pipelines/validate', { team_path: 'acme/web', document: documentOf('x', `scope: ${V.scope}`) }],
      [
        'POST',
        '/v1/pipelines/validate',
        { team_path: 'acme/web', document: documentOf('x', '', `pipeline: ${V.pipeline}`) },
      ],
      ['POST', '/v1/runners/verdicts', { scope: V.scope }],
      ['POST', '/v1/overrides/validate', { ...V, repo_owner: 'acme', repo_name: 'widgets' }],
      ['POST', '/v1/overrides/preview', { ...V, repo_owner: 'acme', repo_name: 'widgets' }],
      ['POST', '/v1/triggers/simulate', { trigger: { ...trigger, ...body, source_id: sourceId } }],
      [
        'POST',
        '/v1/triggers/simulate',
        { trigger: { ...trigger, ...START_HERE, source_id: beside }, source_id: sourceId },
      ],
      ['POST', '/v1/triggers', { ...trigger, ...body, source_id: beside }],
      ['POST', '/v1/triggers', { ...trigger, ...START_HERE, source_id: sourceId }],
      ['POST', '/v1/schedules', { ...schedule, ...body, team_path: undefined, path: 'acme/web' }],
      [
        'POST',
        '/v1/schedules',
        { ...schedule, ...START_HERE, team_path: undefined, path: 'acme/web', run_team_path: 'acme/vault' },
      ],
      ...['', '/fires', '/backfills', `/backfills/${backfillId}`].map(
        (part) => ['GET', `/v1/schedules/${scheduleId}${part}`] as const,
      ),
      ...['run', 'enable', 'disable', `backfills/${backfillId}/cancel`].map(
        (part) => ['POST', `/v1/schedules/${scheduleId}/${part}`] as const,
      ),
      ['POST', `/v1/schedules/${scheduleId}/backfill`, range],
      ['PATCH', `/v1/triggers/${triggerId}`, { enabled: false }],
      ['DELETE', `/v1/triggers/${triggerId}`],
      ['POST', `/v1/external-triggers/${externalId}/run`, {}],
      ['POST', `/v1/external-triggers/${externalId}/fire`, {}],
      ['PATCH', `/v1/external-triggers/${externalId}`, { enabled: false }],
      ['PATCH', `/v1/runners/${runnerId}`, { draining: true }],
      ['GET', `/v1/runners/${runnerId}/leases`],
      ['GET', `/v1/service-accounts/${accountId}`],
      ...['', '/health', '/connections', '/deliveries', '/recoveries', '/recovery', `/deliveries/${deliveryId}`].map(
        (part) => ['GET', `/v1/git-webhook-sources/${sourceId}${part}`] as const,
      ),
      ['POST', `/v1/git-webhook-sources/${sourceId}/deliveries/${deliveryId}/replay`],
      ['POST', `/v1/git-webhook-sources/${beside}/deliveries/${deliveryId}/replay`],
      ['POST', `/v1/git-webhook-sources/${sourceId}/recoveries`],
      ['GET', `/v1/comment-commands?source_id=${sourceId}`],
      ['GET', '/v1/repositories/acme/vault/branches'],
      ['GET', `/v1/live?topics=run:${runId}`],
      ['GET', '/v1/live?topics=runs:acme/vault'],
      ['GET', '/v1/storage?team_path=acme/vault'],
      ['GET', '/v1/teams/acme%2Fvault'],
      ['GET', '/v1/teams/acme%2Fvault/counts'],
      ['POST', '/v1/plans', { action: 'startRun', params: { id: V.pipeline }, body: { scope: V.scope } }],
      ['POST', '/v1/plans', { action: 'disableSchedule', params: { id: scheduleId } }],
      ['POST', '/v1/plans', { action: 'replayDelivery', params: { sourceID: sourceId, deliveryID: deliveryId } }],
    ]
    const absentOf = (text: string): string =>
      ids.reduce((so, id) => so.replaceAll(id, none), text).replaceAll('vault', 'there')
    const plain = ({ status, text }: { readonly status: number; readonly text: string }): string =>
      `${status} ${absentOf(text).replaceAll(/"(request_id|instance)":"[^"]*"/g, '')}`
    const unlike: unknown[] = []
    for (const [method, url, given] of attacks) {
      const asked = (to: string, what: object | undefined) => ask(web.token, method, to, what)
      const hidden = await asked(url, given)
      const absent = await asked(absentOf(url), given && JSON.parse(absentOf(JSON.stringify(given))))
      if (plain(hidden) !== plain(absent) || hidden.status >= 500) unlike.push([method, url, hidden.text, absent.text])
    }
    assert.deepEqual(unlike, [])
  })
})

test('the tools of a token of an account that one manages tell no team that one may not see', async () => {
  const placesOf = async (asker: string, tokenId: string) => {
    const { status, text } = await ask(asker, 'GET', `/v1/mcp/tools?token_id=${tokenId}`)
    assert.equal(status, 200, text)
    const { tools }: { tools: readonly { name: string; places: string[] }[] } = JSON.parse(text)
    return tools.find(({ name }) => name === 'explain_run')?.places
  }
  const [ofRover, ofDrone] = [await aToken(db, rover), await aToken(db, drone)]
  assert.deepEqual(await placesOf(olga.token, ofRover.id), ['acme/web'])
  assert.deepEqual(await placesOf(root.token, ofRover.id), ['acme/web', 'hidden'])
  assert.deepEqual(await placesOf(olga.token, ofDrone.id), [])
  assert.deepEqual(await placesOf(root.token, ofDrone.id), ['/'])
  assert.deepEqual(await placesOf(ofDrone.token, ofDrone.id), ['/'])
})

describe('why a token may not', () => {
  const why = async (token: string, permission: string, team: string) => {
    const answer = await ask(token, 'GET', `/v1/explain/access?permission=${permission}&team_path=${team}`)
    return { status: answer.status, body: JSON.parse(answer.text), text: answer.text }
  }

  test('a limit refuses, and its owner has it; beyond its team nothing is told of the owner', async () => {
    const { body } = await why(starter.token, 'pipeline.write', 'acme/web')
    assert.deepEqual([body.allowed, body.token_limit], [false, 'permissions'])
    assert.match(body.sentence, /^The token is limited to other permissions than pipeline\.write\. user:olga has/)
    assert.deepEqual(
      body.findings.map((one: { evidence: { kind: string }[] }) => one.evidence[0]?.kind),
      ['token', 'subject'],
    )
    assert.deepEqual(body.remedies, [], 'no grant would change it')
    const [beyond, absent] = [
      await why(web.token, 'run.start', 'acme/api'),
      await why(web.token, 'run.start', 'acme/none'),
    ]
    assert.equal(beyond.body.sentence, 'The token is limited to acme/web and the teams below it.')
    assert.equal(beyond.text.replaceAll('acme/api', 'acme/none'), absent.text)
    assert.equal((await why(reader.token, 'run.start', 'acme/web')).body.token_limit, 'read_only')
    assert.equal((await why(web.token, 'token.write', 'acme/web')).body.token_limit, 'withheld')
    assert.equal((await why(web.token, 'run.start', 'acme/web')).body.allowed, true)
    const family = await limited({ families: ['runs'] })
    assert.equal((await why(family.token, 'log.read', 'acme')).body.token_limit, 'families')
  })
})
