import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator, testCaller } from '#platform/testing'
import { openFoundation } from '#rooms/foundation/access/testing'
import { aSecret } from '#rooms/foundation/secrets/testing'
import { anEnvironment, aTeam } from './testing.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const house = await openFoundation(kit)
const callers = {
  admin: testCaller(),
  owner: testCaller({ acme: ['team.read', 'team.write', 'environment.read', 'environment.write', 'grant.write'] }),
  editor: testCaller({ acme: ['team.read', 'environment.read', 'environment.write'] }),
  viewer: testCaller({ 'acme/web': ['team.read', 'environment.read'] }),
  stranger: testCaller({ other: ['team.read', 'team.write'] }),
}
const http = await createTestHttp(house.routes, testAuthenticator(callers))
after(async () => {
  await http.app.close()
  await house.close()
})

const send = (
  as: keyof typeof callers,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  headers = {},
) => {
  const options: InjectOptions = { method, url, headers: { authorization: `Bearer ${as}`, ...headers } }
  return http.app.inject(body ? { ...options, payload: body } : options)
}

describe('POST /v1/teams', () => {
  test('makes a team, and audits it', async () => {
    const answer = await send('admin', 'POST', '/v1/teams', { path: 'acme', name: 'Acme' })
    assert.equal(answer.statusCode, 201)
    const team = answer.json()
    assert.equal(answer.headers.location, `/v1/teams/${team.id}`)
    assert.equal(team.name, 'Acme')
    const [record] = (await send('admin', 'GET', `/v1/audit?resource=team:${team.id}`)).json()
    assert.equal(record.action, 'team.created')
    assert.deepEqual(record.after, { path: 'acme', name: 'Acme' })
  })

  test('a team below another one takes its name from its path; its own document may be sent back', async () => {
    const answer = await send('owner', 'POST', '/v1/teams', { path: 'acme/web', id: 'x', created_at: 'y' })
    assert.equal(answer.statusCode, 201)
    assert.equal(answer.json().name, 'web')
  })

  test('a missing parent, a path that is none, a path that is taken', async () => {
    const orphan = await send('admin', 'POST', '/v1/teams', { path: 'nobody/web' })
    assert.equal(orphan.statusCode, 400)
    assert.equal(orphan.json().code, 'team.parent_missing')
    for (const path of ['Acme', 'acme/', '../etc', 'a/b/c/d/e/f/g/h/i', 7]) {
      assert.equal((await send('admin', 'POST', '/v1/teams', { path })).statusCode, 400)
    }
    const taken = await send('admin', 'POST', '/v1/teams', { path: 'acme' })
    assert.equal(taken.statusCode, 409)
    assert.equal(taken.json().code, 'team.path_taken')
    assert.equal(
      (await send('admin', 'POST', '/v1/teams', { path: 'b', colour: 'red' })).json().errors[0].field,
      'colour',
    )
  })

  test('a root team needs team.write on the platform, another one on its parent', async () => {
    assert.equal((await send('owner', 'POST', '/v1/teams', { path: 'mine' })).statusCode, 403)
    assert.equal((await send('stranger', 'POST', '/v1/teams', { path: 'acme/theirs' })).statusCode, 403)
    assert.equal((await send('owner', 'POST', '/v1/teams', { path: 'acme-labs' })).statusCode, 403)
  })
})

describe('reading teams', () => {
  test('by uuid and by URL-encoded path; what may not be seen looks unknown', async () => {
    const byPath = await send('viewer', 'GET', '/v1/teams/acme%2Fweb')
    assert.equal(byPath.statusCode, 200)
    assert.equal((await send('viewer', 'GET', `/v1/teams/${byPath.json().id}`)).statusCode, 200)
    for (const id of ['acme', 'acme%2Fnone', '..%2F..', 'acme%20', '01900000-0000-7000-8000-000000000009']) {
      assert.equal((await send('viewer', 'GET', `/v1/teams/${id}`)).statusCode, 404, id)
    }
    assert.equal((await send('viewer', 'GET', '/v1/teams/%00')).statusCode, 400)
  })

  test('the list holds what the caller may see, newest first, in pages', async () => {
    await aTeam(database.kysely, 'acme-labs')
    await aTeam(database.kysely, 'acme/api')
    const paths = async (as: keyof typeof callers) =>
      (await send(as, 'GET', '/v1/teams')).json().map((team: { path: string }) => team.path)
    assert.deepEqual(await paths('owner'), ['acme/api', 'acme/web', 'acme'])
    assert.deepEqual(await paths('viewer'), ['acme/web'])
    assert.deepEqual(await paths('stranger'), [])
    const first = await send('owner', 'GET', '/v1/teams?limit=2')
    const next = /<(.+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await send('owner', 'GET', next)
    assert.deepEqual(
      second.json().map((team: { path: string }) => team.path),
      ['acme'],
    )
    assert.equal(second.headers.link, undefined)
    assert.equal((await send('owner', 'GET', '/v1/teams?limit=501')).statusCode, 400)
    assert.equal((await send('owner', 'GET', '/v1/teams?cursor=x')).statusCode, 400)
  })
})

describe('PATCH /v1/teams/{id}', () => {
  test('changes the name, honours If-Match, never the path', async () => {
    const before = await send('owner', 'GET', '/v1/teams/acme%2Fweb')
    const renamed = await send('owner', 'PATCH', '/v1/teams/acme%2Fweb', { ...before.json(), name: 'Web' })
    assert.equal(renamed.statusCode, 200)
    assert.equal(renamed.json().name, 'Web')
    const stale = await send('owner', 'PATCH', '/v1/teams/acme%2Fweb', { name: 'x' }, { 'if-match': '"1"' })
    assert.equal(stale.statusCode, 409)
    assert.equal(stale.json().code, 'version_conflict')
    const etag = String(renamed.headers.etag)
    assert.equal(
      (await send('owner', 'PATCH', '/v1/teams/acme%2Fweb', { name: 'W' }, { 'if-match': etag })).statusCode,
      200,
    )
    const moved = await send('owner', 'PATCH', '/v1/teams/acme%2Fweb', { path: 'acme/moved' })
    assert.equal(moved.json().code, 'team.path_fixed')
    assert.equal((await send('viewer', 'PATCH', '/v1/teams/acme%2Fweb', { name: 'x' })).statusCode, 403)
    assert.equal((await send('stranger', 'PATCH', '/v1/teams/acme%2Fweb', { name: 'x' })).statusCode, 404)
  })
})

describe('DELETE /v1/teams/{id}', () => {
  test('is refused while the team owns anything, and says what', async () => {
    const db = database.kysely
    await aTeam(db, 'acme/full/below')
    const owns = async () => (await send('owner', 'DELETE', '/v1/teams/acme%2Ffull')).json()
    assert.match((await owns()).detail, /teams below it/)
    assert.equal((await send('owner', 'DELETE', '/v1/teams/acme%2Ffull%2Fbelow')).statusCode, 204)
    await anEnvironment(db, 'acme/full/test')
    assert.match((await owns()).detail, /environments/)
    await db.deleteFrom('environments').execute()
    await aSecret(kit, db, { teamPath: 'acme/full', name: 'npm', value: 'x' })
    const refused = await owns()
    assert.equal(refused.status, 409)
    assert.equal(refused.code, 'team.not_empty')
    assert.match(refused.detail, /secrets/)
    await db.deleteFrom('secrets').execute()
    assert.equal((await send('viewer', 'DELETE', '/v1/teams/acme%2Fweb')).statusCode, 403)
    assert.equal((await send('owner', 'DELETE', '/v1/teams/acme%2Ffull')).statusCode, 204)
    assert.equal((await send('owner', 'DELETE', '/v1/teams/acme%2Ffull')).statusCode, 404)
  })
})

describe('environments', () => {
  const url = '/v1/teams/acme%2Fweb/environments'

  test('are made, listed, protected and deleted', async () => {
    const made = await send('editor', 'POST', url, { name: 'test' })
    assert.equal(made.statusCode, 201)
    assert.equal(made.json().scope, 'acme/web/test')
    assert.equal(made.json().protected, false)
    assert.equal((await send('editor', 'POST', url, { name: 'test' })).json().code, 'environment.name_taken')
    assert.deepEqual(
      (await send('viewer', 'GET', url)).json().map((one: { name: string }) => one.name),
      ['test'],
    )
    const subject = 'user:01900000-0000-7000-8000-000000000001'
    const guarded = await send('owner', 'PATCH', `${url}/test`, { protected: true, allowed_subjects: [subject] })
    assert.equal(guarded.statusCode, 200)
    assert.deepEqual(guarded.json().allowed_subjects, [subject])
    assert.equal((await send('owner', 'PATCH', `${url}/none`, { protected: true })).statusCode, 404)
    assert.equal((await send('owner', 'PATCH', `${url}/test`, { allowed_subjects: ['root'] })).statusCode, 400)
    assert.equal((await send('owner', 'DELETE', `${url}/test`)).statusCode, 204)
    assert.deepEqual((await send('viewer', 'GET', url)).json(), [])
  })

  test('are for whoever may read them: to see their team is not enough', async () => {
    await send('admin', 'POST', '/v1/teams', { path: 'other' })
    assert.equal((await send('stranger', 'GET', '/v1/teams/other')).statusCode, 200)
    const refused = await send('stranger', 'GET', '/v1/teams/other/environments')
    assert.equal(refused.statusCode, 403)
    assert.match(refused.json().detail, /environment\.read on other/)
  })

  test('an editor can neither protect one nor make a protected one anew without protection', async () => {
    assert.equal((await send('editor', 'POST', url, { name: 'p', protected: true })).statusCode, 403)
    assert.equal((await send('owner', 'POST', url, { name: 'production', protected: true })).statusCode, 201)
    assert.equal((await send('editor', 'PATCH', `${url}/production`, { protected: false })).statusCode, 403)
    assert.equal((await send('editor', 'DELETE', `${url}/production`)).statusCode, 403)
    assert.equal((await send('viewer', 'POST', url, { name: 'q' })).statusCode, 403)
    assert.equal((await send('stranger', 'GET', url)).statusCode, 404)
  })
})

describe('the door', () => {
  test('resolves scopes that exist', async () => {
    const scope = await house.teams.resolveScope(database.kysely, 'acme/web/production')
    assert.deepEqual(scope, { teamPath: 'acme/web', environment: 'production', protected: true, allowedSubjects: [] })
    assert.equal(await house.teams.resolveScope(database.kysely, 'acme/web/none'), undefined)
    assert.equal(await house.teams.resolveScope(database.kysely, '\0'), undefined)
    await assert.rejects(house.teams.getTeamByPath(database.kysely, 'none'), { code: 'invalid_request' })
  })
})
