import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sha256 } from '#platform/crypto'
import { createTestDatabase, until } from '#platform/testing'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { anEnvironment } from '../../foundation/teams/testing.ts'
import { anExternalTrigger, openExternalTriggers, PATH, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const house = await openExternalTriggers(testDatabase, { env: { BASE_URL: 'https://signalbox.example' } })
after(() => house.close())
const db = testDatabase.database.kysely
await anEnvironment(db, 'acme/api/test')
const root = await db.selectFrom('users').select('id').where('login', '=', 'root').executeTakeFirstOrThrow()
await anEnvironment(db, 'acme/web/production', { protected: true, allowedSubjects: [`user:${root.id}`] })
await aPipeline(db, 'acme/api/build', aDocument('build'))
const editor = await aMember(db, 'ed', 'editor', TEAM)
const stranger = await aMember(db, 'stranger', 'owner', 'acme/api')

const recordsOf = (id: string) =>
  db
    .selectFrom('audit_records')
    .select(['action', 'actor_name', 'before', 'after'])
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute()

describe('external triggers over HTTP', () => {
  test('are created with a secret that is shown once and stored as a hash', async () => {
    const { status, headers, body, text } = await house.call('POST', PATH, anExternalTrigger({ run_team_path: 'acme' }))
    assert.equal(status, 201, text)
    const { id, secret, secret_url: secretUrl, url, secret_set_at: setAt, created_at: at, ...rest } = body
    assert.match(String(secret), /^sbxe_[0-9A-Za-z]{36}$/)
    assert.equal(headers['location'], `${PATH}/${id}`)
    assert.equal(url, `https://signalbox.example${PATH}/${id}/fire`)
    assert.equal(secretUrl, `${url}/${secret}`)
    assert.equal(setAt, at)
    assert.deepEqual(
      { ...rest, owner: (rest['owner'] as { name: string }).name },
      {
        ...anExternalTrigger(),
        run_team_path: 'acme',
        identifier: 'acme/web/deploy',
        rate_limit: { per_minute: 60 },
        enabled: true,
        owner: 'root',
        last_fired_at: null,
        last_run_id: null,
        last_refusal: null,
        updated_at: at,
      },
    )
    const row = await db.selectFrom('external_triggers').selectAll().where('id', '=', String(id)).executeTakeFirst()
    assert.deepEqual(row?.secret_sha256, sha256(String(secret)))
    for (const path of [`${PATH}/${id}`, `${PATH}/acme%2Fweb%2Fdeploy`, PATH]) {
      const shown = await house.call('GET', path)
      assert.equal(shown.status, 200, path)
      assert.ok(!shown.text.includes('secret_url') && !shown.text.includes(String(secret)), path)
    }
    const [created] = await recordsOf(String(id))
    assert.equal(created?.action, 'external_trigger.created')
    assert.ok(!JSON.stringify(created).includes(String(secret)))
  })

  test('a repeated POST with one Idempotency-Key makes one, and its secret is sealed meanwhile', async () => {
    const body = anExternalTrigger({ name: 'once' })
    const headers = { 'idempotency-key': 'create-once' }
    const first = await house.call('POST', PATH, body, { headers })
    const second = await house.call('POST', PATH, body, { headers })
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(second.body['secret'], first.body['secret'])
    const kept = await db.selectFrom('idempotency_keys').selectAll().where('key', '=', 'create-once').execute()
    assert.ok(!JSON.stringify(kept).includes(String(first.body['secret'])))
  })

  test('take the only scope of the team where none is named', async () => {
    const { scope: _scope, ...body } = anExternalTrigger({
      team_path: 'acme/api',
      pipeline: 'acme/api/build',
      variables: {},
      allowed_variables: [],
    })
    assert.equal((await house.call('POST', PATH, body)).body['scope'], 'acme/api/test')
  })

  test('a name is taken once in its team (409)', async () => {
    await house.create({ name: 'twin' })
    const other = await house.create({ name: 'twin-to-be' })
    const again = await house.call('POST', PATH, anExternalTrigger({ name: 'twin' }))
    const renamed = await house.call('PATCH', `${PATH}/${other.id}`, { name: 'twin' })
    for (const { status, body } of [again, renamed]) {
      assert.deepEqual([status, body['code']], [409, 'external_trigger.name_taken'])
    }
  })

  const faults: readonly (readonly [field: string, overrides: Record<string, unknown>])[] = [
    ['team_path', { team_path: 'acme/none' }],
    ['run_team_path', { run_team_path: 'acme/none' }],
    ['pipeline', { pipeline: 'acme/web/none' }],
    ['scope', { scope: 'acme/web/none' }],
    ['variables.NOPE', { variables: { NOPE: '1' } }],
    ['allowed_variables.1', { allowed_variables: ['VERSION', 'NOPE'] }],
    ['rate_limit.per_minute', { rate_limit: { per_minute: 0 } }],
    ['name', { name: 'Not A Name' }],
    ['nonsense', { nonsense: 1 }],
  ]
  for (const [field, overrides] of faults) {
    test(`400 names ${field}`, async () => {
      const { status, body, text } = await house.call('POST', PATH, anExternalTrigger({ name: 'faulty', ...overrides }))
      assert.equal(status, 400, text)
      assert.equal((body['errors'] as { field: string }[])[0]?.field, field, text)
    })
  }

  test('PUT replaces, PATCH changes, the caller becomes the owner, and the secret stays', async () => {
    const made = await house.create({ name: 'changed' })
    const by = { headers: editor.headers }
    const patched = await house.call('PATCH', `${PATH}/${made.id}`, { allowed_variables: [] }, by)
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual(patched.body['allowed_variables'], [])
    assert.equal((patched.body['owner'] as { name: string }).name, 'ed')
    const read = await house.call('GET', `${PATH}/${made.id}`)
    const put = await house.call('PUT', `${PATH}/${made.id}`, { ...read.body, rate_limit: { per_minute: 5 } })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(put.body['rate_limit'], { per_minute: 5 })
    assert.equal((put.body['owner'] as { name: string }).name, 'root')
    assert.equal((await house.fire(made)).status, 202)
    const actions = (await recordsOf(made.id)).map(({ action }) => action)
    const updated = 'external_trigger.updated'
    assert.deepEqual(actions, ['external_trigger.created', updated, updated, 'external_trigger.fired'])
  })

  test('If-Match refuses a write over what somebody else wrote; firing changes no ETag', async () => {
    const made = await house.create({ name: 'versions' })
    const { headers } = await house.call('GET', `${PATH}/${made.id}`)
    const ifMatch = { headers: { 'if-match': String(headers['etag']) } }
    assert.equal((await house.fire(made)).status, 202)
    assert.equal((await house.call('PATCH', `${PATH}/${made.id}`, { enabled: false }, ifMatch)).status, 200)
    for (const [method, url, body] of [
      ['PATCH', '', { enabled: true }],
      ['PUT', '', anExternalTrigger({ name: 'versions' })],
      ['DELETE', '', undefined],
      ['POST', '/rotate', undefined],
    ] as const) {
      const late = await house.call(method, `${PATH}/${made.id}${url}`, body, ifMatch)
      assert.deepEqual([late.status, late.body['code']], [409, 'version_conflict'], method)
    }
  })

  test('rotation ends the old secret, keeps all else, and is recorded without the secret', async () => {
    const made = await house.create({ name: 'rotated' })
    const before = await house.call('GET', `${PATH}/${made.id}`)
    const { status, body, text } = await house.call('POST', `${PATH}/${made.id}/rotate`, undefined, {
      headers: editor.headers,
    })
    assert.equal(status, 200, text)
    const { secret, secret_url: _url, ...shown } = body
    assert.notEqual(secret, made.secret)
    const changed = { secret_set_at: shown['secret_set_at'], updated_at: shown['updated_at'] }
    assert.deepEqual(shown, { ...before.body, ...changed })
    assert.equal((await house.fire(made)).status, 401)
    assert.equal((await house.fire({ ...made, secret: String(secret) })).status, 202)
    const record = (await recordsOf(made.id)).find(({ action }) => action === 'external_trigger.rotated')
    assert.equal(record?.actor_name, 'ed')
    assert.doesNotMatch(JSON.stringify(record), /sbxe_|sha256/)
  })

  test('deletion ends it; its runs go on', async () => {
    const made = await house.create({ name: 'deleted' })
    const { body } = await house.fire(made)
    assert.equal((await house.call('DELETE', `${PATH}/${made.id}`)).status, 204)
    assert.equal((await house.call('GET', `${PATH}/${made.id}`)).status, 404)
    assert.equal((await house.fire(made)).status, 401)
    const run = await db
      .selectFrom('runs')
      .select(['id', 'status'])
      .where('external_trigger_id', '=', made.id)
      .executeTakeFirst()
    assert.deepEqual(run, { id: body['run_id'], status: 'queued' })
  })

  test('lists by team, newest first, in pages', async () => {
    const listed = await house.call('GET', `${PATH}?team_path=acme%2Fapi`)
    assert.deepEqual(
      Array.from(listed.body as never, ({ team_path }) => team_path),
      ['acme/api'],
    )
    const first = await house.call('GET', `${PATH}?limit=1`)
    assert.match(String(first.headers['link']), /rel="next"/)
    assert.equal((await house.call('GET', `${PATH}?limit=0`)).status, 400)
    assert.equal((await house.call('GET', `${PATH}?nonsense=1`)).status, 400)
  })
})

describe('who may not', () => {
  test('an owner of another team sees nothing of it: as if it were absent', async () => {
    const made = await house.create({ name: 'hidden' })
    const absent = '01a1fc1f-ca69-7000-b9c9-fea95f691d0b'
    const by = { headers: stranger.headers }
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['PUT', '', anExternalTrigger({ name: 'hidden' })],
      ['PATCH', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['POST', '/rotate', undefined],
      ['POST', '/fire', undefined],
    ] as const) {
      const there = await house.call(method, `${PATH}/${made.id}${suffix}`, body, by)
      const not = await house.call(method, `${PATH}/${absent}${suffix}`, body, by)
      assert.equal(there.status, 404, `${method} ${suffix}: ${there.text}`)
      const { request_id: _a, ...said } = there.body
      const { request_id: _b, ...alike } = not.body
      assert.deepEqual(JSON.parse(JSON.stringify(said).replaceAll(made.id, absent)), alike)
    }
    assert.ok(!(await house.call('GET', PATH, undefined, by)).text.includes(made.id))
    const squat = await house.call('POST', PATH, anExternalTrigger({ name: 'squat' }), by)
    assert.equal(squat.status, 403)
    const reach = { team_path: 'acme/api', name: 'reach', variables: {}, allowed_variables: [] }
    const reached = await house.call('POST', PATH, anExternalTrigger(reach), by)
    assert.equal(reached.status, 400, 'a pipeline of a team that is hidden is as absent')
    assert.match(reached.text, /There is no pipeline/)
  })

  test('an editor who may not use the scope neither writes it nor gets its secret, yet may stop it', async () => {
    const made = await house.create({ name: 'protected', scope: 'acme/web/production' })
    const by = { headers: editor.headers }
    const rotated = await house.call('POST', `${PATH}/${made.id}/rotate`, undefined, by)
    assert.deepEqual([rotated.status, rotated.body['secret']], [403, undefined], 'else it would fire as the owner')
    assert.equal((await house.call('PATCH', `${PATH}/${made.id}`, { rate_limit: { per_minute: 9 } }, by)).status, 403)
    assert.equal((await house.call('PATCH', `${PATH}/${made.id}`, { enabled: true }, by)).status, 403)
    const fired = await house.call('POST', `${PATH}/${made.id}/fire`, undefined, by)
    assert.equal(fired.status, 403)
    assert.equal((await house.fire(made)).status, 202, 'the owner may')
    const stopped = await house.call('PATCH', `${PATH}/${made.id}`, { enabled: false }, by)
    assert.deepEqual([stopped.status, (stopped.body['owner'] as { name: string }).name], [200, 'root'])
    assert.equal((await house.fire(made)).status, 401)
  })

  const ends: readonly (readonly [what: string, scope: string, end: (user: string) => Promise<unknown>])[] = [
    ['the role', 'acme/web/staging', (user) => db.deleteFrom('grants').where('user_id', '=', user).execute()],
    [
      'the protected environment',
      'acme/web/guarded',
      () => db.updateTable('environments').set({ allowed_subjects: [] }).where('name', '=', 'guarded').execute(),
    ],
  ]
  for (const [what, scope, end] of ends) {
    test(`a rotated secret is sealed, and repeated to nobody who lost ${what}`, async () => {
      const member = await aMember(db, `rotates-${scope.split('/').at(-1)}`, 'editor', TEAM)
      const allowedSubjects = [`user:${root.id}`, `user:${member.id}`]
      if (scope.endsWith('guarded')) await anEnvironment(db, scope, { protected: true, allowedSubjects })
      const made = await house.create({ name: `rotated-${member.id}`, scope })
      const by = { headers: { ...member.headers, 'idempotency-key': 'rotate' } }
      const rotate = () => house.call('POST', `${PATH}/${made.id}/rotate`, undefined, by)
      const first = await until('the rotation', rotate, ({ status }) => status === 200)
      const secret = String(first.body['secret'])
      assert.equal((await rotate()).body['secret'], secret)
      const kept = await db.selectFrom('idempotency_keys').selectAll().where('key', '=', 'rotate').execute()
      assert.ok(!JSON.stringify(kept).includes(secret))
      await end(member.id)
      const refused = await until('the lost right to count', rotate, ({ status }) => status !== 200)
      assert.equal(refused.status, 403, refused.text)
      assert.ok(!refused.text.includes(secret))
    })
  }

  test('a malformed id is answered 400, never 500', async () => {
    for (const id of ['-'.repeat(36), 'f'.repeat(36), 'x']) {
      assert.equal((await house.call('GET', `${PATH}/${id}`)).status, 400, id)
    }
  })
})
