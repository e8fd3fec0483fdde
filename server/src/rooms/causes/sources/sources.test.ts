import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aSecret } from '../../foundation/secrets/testing.ts'
import { anEnvironment, aTeam } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aSource, aTrigger, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/git-webhook-sources'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase, { BASE_URL: 'https://ci.example.com/signalbox/' })
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const editor = (await aMember(db, 'editor', 'editor', TEAM)).headers
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers

let made = 0
function aNamedSource(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  made += 1
  return aSource({ name: `source ${made}`, ...overrides })
}

async function create(overrides: Record<string, unknown> = {}) {
  const called = await causes.call('POST', PATH, aNamedSource(overrides))
  assert.equal(called.status, 201, called.text)
  return { id: String(called.body['id']), called }
}

function fieldsOf(body: Record<string, unknown>): string[] {
  return (Array.isArray(body['errors']) ? body['errors'] : []).map((error: { field: string }) => error.field)
}

describe('create', () => {
  test('answers the source with defaults, its address and its ETag', async () => {
    const { name, provider, team_path, credential_ref, repository_allowlist } = aNamedSource()
    const body = { name, provider, team_path, credential_ref, repository_allowlist }
    const called = await causes.call('POST', PATH, body)
    assert.equal(called.status, 201, called.text)
    assert.equal(called.headers['location'], `${PATH}/${called.body['id']}`)
    assert.ok(called.headers['etag'])
    const { id: _id, created_at: _created, updated_at: _updated, owner, ...rest } = called.body
    assert.equal(Object(owner)['name'], 'root')
    assert.deepEqual(rest, {
      ...body,
      payload_url: `https://ci.example.com/signalbox/v1/git/webhooks/${called.body['id']}`,
      enabled: true,
      visibility: 'private',
      auth_mode: 'signature',
      base_url: null,
      checkout_credential_ref: null,
      read_repository: false,
      report_status: false,
      comment_commands: false,
      rate_limit: { per_minute: 600 },
      acknowledge_unmapped: false,
      connected_trigger_count: 0,
      notes: [],
    })
  })

  const wrong: [string, Record<string, unknown>, string][] = [
    ['an unknown provider', { provider: 'sourceforge' }, 'provider'],
    ['a mode that the provider lacks', { auth_mode: 'token' }, 'auth_mode'],
    ['no allowlist', { repository_allowlist: undefined }, 'repository_allowlist'],
    ['an empty allowlist', { repository_allowlist: [] }, 'repository_allowlist'],
    ['a pattern without an owner', { repository_allowlist: ['widgets'] }, 'repository_allowlist.0'],
    ['a pattern that cannot be read', { repository_allowlist: ['acme/[a'] }, 'repository_allowlist.0'],
    ['a list that only excludes', { repository_allowlist: ['!acme/x'] }, 'repository_allowlist'],
    ['a credential reference of no form', { credential_ref: 'hook' }, 'credential_ref'],
    ['a secret that is not there', { credential_ref: `secret:${TEAM}/none` }, 'credential_ref'],
    ['a secret of another team', { credential_ref: 'secret:acme/other/hook' }, 'credential_ref'],
    ['a variable that is not allowed', { credential_ref: 'env:PATH' }, 'credential_ref'],
    [
      'a checkout credential that is not there',
      { checkout_credential_ref: 'secret:acme/web/no' },
      'checkout_credential_ref',
    ],
    ['a team that is not there', { team_path: 'acme/nowhere' }, 'team_path'],
    ['a rate of nothing', { rate_limit: { per_minute: 0 } }, 'rate_limit.per_minute'],
    ['a name of the wrong type', { name: 7 }, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['an unknown visibility', { visibility: 'public' }, 'visibility'],
  ]
  for (const [name, change, field] of wrong) {
    test(`${name} is 400 and named`, async () => {
      const { status, body, text } = await causes.call('POST', PATH, aNamedSource(change))
      assert.equal(status, 400, text)
      assert.ok(fieldsOf(body).includes(field), text)
      assert.match(String(body['detail']), new RegExp(field.split('.')[0] ?? ''))
    })
  }

  test('the users of a secret are listed, those that only read repositories with it too', async () => {
    for (const name of ['verifying', 'reading']) {
      await aSecret(causes.kit, db, { teamPath: TEAM, name, value: 'a-value' })
    }
    const reading = `secret:${TEAM}/reading`
    const change = { name: 'uses-both', credential_ref: `secret:${TEAM}/verifying`, checkout_credential_ref: reading }
    const { status, text } = await causes.call('POST', PATH, aNamedSource(change))
    assert.equal(status, 201, text)
    for (const reference of [`secret:${TEAM}/verifying`, reading]) {
      const users = await causes.call('GET', `${PATH}?credential_ref=${encodeURIComponent(reference)}`)
      assert.deepEqual([users.status, users.text.match(/"name":"uses-both"/g)?.length], [200, 1], users.text)
      assert.equal(users.text.match(/"payload_url"/g)?.length, 1, users.text)
    }
    const none = await causes.call('GET', `${PATH}?credential_ref=${encodeURIComponent(`secret:${TEAM}/none`)}`)
    assert.equal(none.text, '[]')
  })

  test('an empty secret is as unusable as none', async () => {
    await aSecret(causes.kit, db, { teamPath: TEAM, name: 'empty', value: '' })
    const { status, body } = await causes.call('POST', PATH, aNamedSource({ credential_ref: `secret:${TEAM}/empty` }))
    assert.equal(status, 400)
    assert.deepEqual(fieldsOf(body), ['credential_ref'])
  })

  test('a name that is taken is 409', async () => {
    const source = aNamedSource()
    assert.equal((await causes.call('POST', PATH, source)).status, 201)
    const { status, body } = await causes.call('POST', PATH, source)
    assert.equal(status, 409)
    assert.equal(body['code'], 'source.name_taken')
  })

  test('without a token 401, without the permission 403', async () => {
    const nobody = { authorization: '' }
    assert.equal((await causes.call('POST', PATH, aNamedSource(), { headers: nobody })).status, 401)
    assert.equal((await causes.call('POST', PATH, aNamedSource(), { headers: viewer })).status, 403)
    assert.equal((await causes.call('POST', PATH, aNamedSource(), { headers: editor })).status, 201)
  })
})

describe('read', () => {
  test('a list holds what the caller may see; another one answers as if it were not there', async () => {
    const { id } = await create()
    const seen = await causes.call('GET', `${PATH}?limit=500`, undefined, { headers: viewer })
    assert.ok(JSON.stringify(seen.body).includes(id))
    const hidden = await causes.call('GET', PATH, undefined, { headers: stranger })
    assert.deepEqual(hidden.body, [])
    for (const at of [`${PATH}/${id}`, `${PATH}/${randomUUID()}`, `${PATH}/${id}/deliveries`]) {
      const { status, body } = await causes.call('GET', at, undefined, { headers: stranger })
      assert.equal(status, 404)
      assert.equal(body['detail'], 'There is no source of this id.')
    }
  })

  test('pages by a Link header, newest first', async () => {
    const { id: first } = await create()
    const { id: second } = await create()
    const page = await causes.call('GET', `${PATH}?limit=1`)
    assert.equal(page.body[0]?.['id'], second)
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
    assert.equal((await causes.call('GET', String(next))).body[0]?.['id'], first)
    assert.equal((await causes.call('GET', `${PATH}?limit=501`)).status, 400)
    assert.equal((await causes.call('GET', `${PATH}?colour=red`)).status, 400)
  })

  test('counts the triggers that use it', async () => {
    const { id } = await aConnectedSource(causes, { name: 'counted' }, { name: 'counting' })
    assert.equal((await causes.call('GET', `${PATH}/${id}`)).body['connected_trigger_count'], 1)
  })

  test('counts triggers that name no source and take its events, and no others', async () => {
    const repository_allowlist = ['fed/one', 'feeds/*']
    const source = await causes.call('POST', PATH, aSource({ name: 'feeding', repository_allowlist }))
    const countOf = async () =>
      (await causes.call('GET', `${PATH}/${String(source.body['id'])}`)).body['connected_trigger_count']
    assert.equal(source.body['connected_trigger_count'], 0)
    for (const [name, repositories, expected] of [
      ['by-name', ['FED/one'], 1],
      ['by-pattern', ['fed/*'], 2],
      ['beside', ['feeds/one'], 3],
      ['two-patterns', ['feeds/o*'], 4],
      ['taken-out', ['fed/*', '!fed/one'], 4],
      ['elsewhere', ['other/*'], 4],
    ] as const) {
      assert.equal((await causes.call('POST', '/v1/triggers', aTrigger({ name, repositories }))).status, 201)
      assert.equal(await countOf(), expected, name)
    }
    const listed = Object.values((await causes.call('GET', PATH)).body).find((one) => Object(one).name === 'feeding')
    assert.equal(Object(listed).connected_trigger_count, 4)
  })
})

describe('a secret that can never prove a delivery', () => {
  const cases: [string, Record<string, unknown>, string, RegExp][] = [
    ['no password for Azure DevOps', { provider: 'azure_devops', auth_mode: 'basic' }, 'password', /user:password/],
    ['no base64 after whsec_', { provider: 'generic' }, 'whsec_no base64', /whsec_, but what follows is not base64/],
    ['a private key', { provider: 'gitlab' }, 'whsk_abcd', /private key; store the public one/],
  ]
  for (const [what, fields, value, message] of cases) {
    test(`${what}: the source is refused until one of its versions can`, async () => {
      const name = `never-${cases.findIndex(([each]) => each === what)}`
      const id = await aSecret(causes.kit, db, { teamPath: TEAM, name, value })
      const source = aNamedSource({ ...fields, credential_ref: `secret:${TEAM}/${name}` })
      const { status, body } = await causes.call('POST', PATH, source)
      assert.deepEqual([status, fieldsOf(body)], [400, ['credential_ref']])
      assert.match(String(body['detail']), message)
      await causes.call('PUT', `/v1/secrets/${id}`, { value: 'user:a password' })
      assert.equal((await causes.call('POST', PATH, source)).status, 201)
    })
  }

  test('what another mode or another provider could use is not refused', async () => {
    await aSecret(causes.kit, db, { teamPath: TEAM, name: 'odd', value: 'whsec_no base64' })
    const credential = { credential_ref: `secret:${TEAM}/odd` }
    await create({ ...credential, provider: 'gitlab', auth_mode: 'token' })
    await create({ ...credential, provider: 'github' })
  })
})

describe('change', () => {
  test('a document that was read can be written back', async () => {
    const { id } = await create()
    const { body, headers } = await causes.call('GET', `${PATH}/${id}`)
    const put = await causes.call('PUT', `${PATH}/${id}`, body, { headers: { 'if-match': String(headers['etag']) } })
    assert.equal(put.status, 200, put.text)
    const { updated_at: _before, ...before } = body
    const { updated_at: _after, ...written } = put.body
    assert.deepEqual(written, before)
    assert.notEqual(put.headers['etag'], headers['etag'])
    const stale = await causes.call('PUT', `${PATH}/${id}`, body, { headers: { 'if-match': String(headers['etag']) } })
    assert.equal(stale.status, 409)
    assert.equal(stale.body['code'], 'version_conflict')
  })

  test('PUT wants the whole document; PATCH any part of it', async () => {
    const { id } = await create({ acknowledge_unmapped: true })
    const part = await causes.call('PUT', `${PATH}/${id}`, { name: 'only' })
    assert.equal(part.status, 400)
    assert.ok(fieldsOf(part.body).includes('provider'))
    const patched = await causes.call('PATCH', `${PATH}/${id}`, { enabled: false })
    assert.equal(patched.body['enabled'], false)
    assert.equal(patched.body['acknowledge_unmapped'], true)
    const put = await causes.call('PUT', `${PATH}/${id}`, aNamedSource())
    assert.equal(put.body['acknowledge_unmapped'], false)
    assert.equal(put.body['enabled'], true)
    const wrong = await causes.call('PATCH', `${PATH}/${id}`, { provider: 'sourceforge' })
    assert.equal(wrong.status, 400)
    assert.deepEqual(fieldsOf(wrong.body), ['provider'])
  })

  test('an unknown id is 404; who may see but not change gets 403', async () => {
    const { id } = await create()
    assert.equal((await causes.call('PUT', `${PATH}/${randomUUID()}`, aNamedSource())).status, 404)
    assert.equal((await causes.call('PATCH', `${PATH}/${randomUUID()}`, {})).status, 404)
    assert.equal((await causes.call('DELETE', `${PATH}/${randomUUID()}`)).status, 404)
    assert.equal((await causes.call('PATCH', `${PATH}/${id}`, {}, { headers: viewer })).status, 403)
    assert.equal((await causes.call('PATCH', `${PATH}/${id}`, {}, { headers: stranger })).status, 404)
    assert.equal(
      (await causes.call('PATCH', `${PATH}/${id}`, { team_path: 'acme/other' }, { headers: editor })).status,
      403,
    )
  })

  test('disabling and enabling count from the next delivery', async () => {
    const { id, url } = await aConnectedSource(causes, { name: 'switched' }, { name: 'switch' })
    const send = async () => (await deliver(causes, url, signPush({ secret: SECRET, deliveryId: randomUUID() }))).status
    for (let round = 0; round < 5; round += 1) {
      await causes.call('PATCH', `${PATH}/${id}`, { enabled: false })
      assert.equal(await send(), 404)
      await causes.call('PATCH', `${PATH}/${id}`, { enabled: true })
      assert.equal(await send(), 202)
    }
  })

  test('each write leaves an audit record with before and after, and never a secret', async () => {
    const { id } = await create()
    await causes.call('PATCH', `${PATH}/${id}`, { enabled: false })
    await causes.call('DELETE', `${PATH}/${id}`)
    const { body, text } = await causes.call('GET', `/v1/audit?resource=webhook_source:${id}`)
    assert.deepEqual(
      Object.values(body).map((record) => Object(record)['action']),
      ['webhook_source.deleted', 'webhook_source.updated', 'webhook_source.created'],
    )
    assert.equal(Object(body[1]?.['before'])['enabled'], true)
    assert.equal(Object(body[1]?.['after'])['enabled'], false)
    assert.ok(!text.includes(SECRET))
  })
})

describe('delete', () => {
  test('with if_unused counts the triggers that the caller may not see, and names none of them', async () => {
    await anEnvironment(db, 'acme/other/staging')
    await aPipeline(db, 'acme/other/build')
    const { id } = await create({ visibility: 'shared' })
    const theirs = { team_path: 'acme/other', pipeline: 'acme/other/build', scope: 'acme/other/staging', source_id: id }
    const trigger = aTrigger({ name: 'theirs', ...theirs })
    const written = await causes.call('POST', '/v1/triggers', trigger, { headers: stranger })
    assert.equal(written.status, 201, written.text)
    const kept = await causes.call('DELETE', `${PATH}/${id}?if_unused=true`, undefined, { headers: editor })
    assert.deepEqual(
      [kept.body['code'], kept.body['detail']],
      ['source.in_use', '1 trigger uses the source: change or delete it first.'],
    )
  })

  test('with if_unused not while triggers use it; else a fact names those that lost it, and the audit what it was', async () => {
    const { id, triggerId } = await aConnectedSource(causes, { name: 'doomed' }, { name: 'doomed' })
    const kept = await causes.call('DELETE', `${PATH}/${id}?if_unused=true`)
    assert.deepEqual([kept.status, kept.body['code']], [409, 'source.in_use'])
    assert.match(
      String(kept.body['detail']),
      /^1 trigger uses the source \(acme\/web\/doomed\): change or delete it first/,
    )
    assert.equal((await causes.call('GET', `${PATH}/${id}`)).body['connected_trigger_count'], 1)
    assert.equal((await causes.call('DELETE', `${PATH}/${id}?if_unused=perhaps`)).status, 400)

    assert.equal((await causes.call('DELETE', `${PATH}/${id}?if_unused=false`)).status, 204)
    const facts = await db
      .selectFrom('facts')
      .select(['version', 'payload'])
      .where('kind', '=', 'source.deleted')
      .execute()
    const trigger = { id: triggerId, name: 'doomed', team_path: TEAM }
    const told = { source_id: id, name: 'doomed', team_path: TEAM, triggers: [trigger] }
    assert.deepEqual(
      facts.filter(({ payload }) => Object(payload)['source_id'] === id),
      [{ version: 1, payload: told }],
    )
    const { body } = await causes.call('GET', `/v1/audit?resource=webhook_source:${id}`)
    assert.equal(body[0]?.['action'], 'webhook_source.deleted')
    assert.deepEqual([Object(body[0]?.['before'])['connected_trigger_count'], body[0]?.['after']], [1, null])
    assert.equal((await causes.call('DELETE', `${PATH}/${id}`)).status, 404)
  })

  test('with if_unused not while it feeds triggers that name no source', async () => {
    const { id } = await create({ repository_allowlist: ['lonely/*'] })
    const trigger = aTrigger({ name: 'fed-only', repositories: ['lonely/one'] })
    const written = await causes.call('POST', '/v1/triggers', trigger)
    const kept = await causes.call('DELETE', `${PATH}/${id}?if_unused=true`)
    assert.deepEqual(
      [kept.status, kept.body['detail']],
      [409, '1 trigger uses the source (acme/web/fed-only): change or delete it first.'],
    )
    await causes.call('DELETE', `/v1/triggers/${String(written.body['id'])}`)
    assert.equal((await causes.call('DELETE', `${PATH}/${id}?if_unused=true`)).status, 204)
  })

  test('the audit of a deletion counts the triggers that the source fed', async () => {
    const { id } = await create({ repository_allowlist: ['orphaned/*'] })
    const trigger = aTrigger({ name: 'orphaned', repositories: ['orphaned/one'] })
    assert.equal((await causes.call('POST', '/v1/triggers', trigger)).status, 201)
    assert.equal((await causes.call('DELETE', `${PATH}/${id}`)).status, 204)
    const { body } = await causes.call('GET', `/v1/audit?resource=webhook_source:${id}`)
    assert.equal(Object(body[0]?.['before'])['connected_trigger_count'], 1)
  })

  test('with if_unused when nothing uses it; with If-Match only as it was read', async () => {
    const { id, called } = await create()
    const stale = { 'if-match': '"stale"' }
    assert.equal((await causes.call('DELETE', `${PATH}/${id}`, undefined, { headers: stale })).status, 409)
    const headers = { 'if-match': String(called.headers['etag']) }
    assert.equal((await causes.call('DELETE', `${PATH}/${id}?if_unused=true`, undefined, { headers })).status, 204)
    const { body } = await causes.call('GET', `/v1/audit?resource=webhook_source:${id}`)
    assert.equal(Object(body[0]?.['before'])['name'], called.body['name'])
  })
})
