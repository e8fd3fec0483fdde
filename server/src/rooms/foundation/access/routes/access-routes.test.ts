import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createTestClock, createTestDatabase, createTestHttp, createTestKit } from '#platform/testing'
import { aTeam } from '#rooms/foundation/teams/testing'
import { aGrant, aMember, aServiceAccount, openFoundation } from '../testing.ts'

const BOOTSTRAP = 'the-bootstrap-token-of-this-test'

const { database } = await createTestDatabase()
const db = database.kysely
const clock = createTestClock()
const house = await openFoundation(createTestKit(database, { clock, env: { BOOTSTRAP_ADMIN_TOKEN: BOOTSTRAP } }))
const http = await createTestHttp(house.routes, house.access.authenticator)
await aTeam(db, 'acme/web')
await aTeam(db, 'acme-labs')
const admin = await aMember(db, 'admin', 'administrator', '/')
const owner = await aMember(db, 'owner', 'owner', 'acme')
const viewer = await aMember(db, 'viewer', 'viewer', 'acme')
after(async () => {
  await http.app.close()
  await house.close()
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const send = (token: string | undefined, method: Method, url: string, body?: object) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const options: InjectOptions = { method, url, headers }
  return http.app.inject(body ? { ...options, payload: body } : options)
}

describe('who am I', () => {
  test('GET /v1/auth/me tells what the caller may do where', async () => {
    const me = (await send(owner.token, 'GET', '/v1/auth/me')).json()
    assert.equal(me.kind, 'user')
    assert.equal(me.name, 'owner')
    assert.deepEqual(Object.keys(me.capabilities.permissions), ['acme'])
    assert.ok(me.capabilities.permissions.acme.includes('secret.write'))
    assert.equal(me.capabilities.administrator, false)
    assert.equal(me.capabilities.create_root_teams, false)
    assert.equal(me.capabilities.start_runs, true)
    const bootstrap = (await send(BOOTSTRAP, 'GET', '/v1/auth/me')).json()
    assert.equal(bootstrap.kind, 'bootstrap')
    assert.equal(bootstrap.capabilities.administrator, true)
  })

  test('no token and a wrong one are 401', async () => {
    for (const token of [undefined, 'nonsense', 'sbxu_000000000000000000000000000000000000']) {
      const answer = await send(token, 'GET', '/v1/auth/me')
      assert.equal(answer.statusCode, 401)
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
      assert.equal(answer.json().code, 'unauthenticated')
    }
  })

  test('GET /v1/auth/permissions serves the table', async () => {
    const table = (await send(viewer.token, 'GET', '/v1/auth/permissions')).json()
    const names = table.permissions.map((one: { name: string }) => one.name)
    assert.ok(names.includes('run.cancel'))
    assert.deepEqual(table.roles.at(-1).permissions.toSorted(), names.toSorted())
  })
})

describe('users', () => {
  test('an administrator makes, changes, disables and deletes them', async () => {
    const body = { login: 'ada', email: 'ada@example.com', password: 'correct horse battery' }
    const made = await send(admin.token, 'POST', '/v1/users', body)
    assert.equal(made.statusCode, 201)
    assert.equal(made.json().has_password, true)
    assert.doesNotMatch(made.body, /argon2|correct horse/)
    const { id } = made.json()
    assert.equal((await send(admin.token, 'POST', '/v1/users', body)).json().code, 'user.login_taken')
    const changed = await send(admin.token, 'PATCH', `/v1/users/${id}`, { ...made.json(), name: 'Ada', disabled: true })
    assert.equal(changed.statusCode, 200)
    assert.equal(changed.json().disabled, true)
    assert.equal(await house.access.verifyPassword('ada', body.password, '192.0.2.1'), undefined, 'disabled')
    await send(admin.token, 'PATCH', `/v1/users/${id}`, { disabled: false })
    assert.equal((await house.access.verifyPassword('ada', body.password, '192.0.2.1'))?.userId, id)
    assert.equal(await house.access.verifyPassword('ada', 'wrong', '192.0.2.1'), undefined)
    assert.equal((await send(admin.token, 'DELETE', `/v1/users/${id}`)).statusCode, 204)
    assert.equal((await send(admin.token, 'GET', `/v1/users/${id}`)).statusCode, 404)
    const audit = await send(admin.token, 'GET', '/v1/audit?resource=user')
    assert.doesNotMatch(audit.body, /argon2|correct horse/)
  })

  test('short passwords and odd logins are 400 and name the field', async () => {
    const short = await send(admin.token, 'POST', '/v1/users', { login: 'x', password: 'short' })
    assert.equal(short.statusCode, 400)
    assert.equal(short.json().errors[0].field, 'password')
    for (const login of ['', 'Ada', 'a b', '../x', 'ü']) {
      assert.equal((await send(admin.token, 'POST', '/v1/users', { login })).statusCode, 400)
    }
  })

  test('others see themselves, and change their own password only by knowing it', async () => {
    const self = `/v1/users/${viewer.id}`
    assert.equal((await send(viewer.token, 'GET', self)).statusCode, 200)
    assert.equal((await send(viewer.token, 'GET', `/v1/users/${admin.id}`)).statusCode, 404)
    assert.deepEqual(
      (await send(viewer.token, 'GET', '/v1/users')).json().map((one: { id: string }) => one.id),
      [viewer.id],
    )
    assert.equal((await send(viewer.token, 'PATCH', self, { name: 'Viv' })).statusCode, 200)
    assert.equal((await send(viewer.token, 'PATCH', self, { disabled: true })).statusCode, 403)
    assert.equal((await send(viewer.token, 'POST', '/v1/users', { login: 'y' })).statusCode, 403)
    await send(admin.token, 'PATCH', self, { password: 'the first password' })
    const next = { password: 'the second password' }
    const unknown = await send(viewer.token, 'PATCH', self, next)
    assert.equal(unknown.json().code, 'user.wrong_password')
    const known = await send(viewer.token, 'PATCH', self, { ...next, current_password: 'the first password' })
    assert.equal(known.statusCode, 200)
    assert.equal((await house.access.verifyPassword('viewer', next.password, '192.0.2.1'))?.userId, viewer.id)
    assert.ok((await send(owner.token, 'GET', '/v1/users')).json().length >= 3, 'owners find whom to grant')
  })

  test('guessing a password is stopped, by login and by address', async () => {
    const guess = (address: string) => house.access.verifyPassword('owner', 'guess', address)
    for (let i = 0; i < 10; i++) assert.equal(await guess(`192.0.2.${100 + i}`), undefined)
    await assert.rejects(guess('192.0.2.200'), { code: 'rate_limited' })
  })

  test('guessing many logins from many addresses of one IPv6 network is stopped, and its neighbour is not', async () => {
    const guess = (login: string, address: string) => house.access.verifyPassword(login, 'guess', address)
    for (let i = 0; i < 10; i++) assert.equal(await guess(`nobody-${i}`, `2001:db8:1:2:${i}::${i}`), undefined)
    await assert.rejects(guess('nobody-10', '2001:db8:1:2:ffff::1'), { code: 'rate_limited' })
    assert.equal(await guess('nobody-11', '2001:db8:1:3::1'), undefined)
  })
})

describe('groups', () => {
  test('give their members what they are granted, until they leave', async () => {
    const group = (await send(admin.token, 'POST', '/v1/groups', { name: 'leads' })).json()
    assert.equal((await send(admin.token, 'POST', '/v1/groups', { name: 'leads' })).statusCode, 409)
    await send(admin.token, 'POST', '/v1/grants', {
      subject: `group:${group.id}`,
      role: 'operator',
      team_path: 'acme-labs',
    })
    const seesLabs = async () => (await send(viewer.token, 'GET', '/v1/teams/acme-labs')).statusCode
    assert.equal(await seesLabs(), 404)
    const member = `/v1/groups/${group.id}/members/${viewer.id}`
    assert.equal((await send(owner.token, 'PUT', member)).statusCode, 403)
    assert.equal((await send(admin.token, 'PUT', member)).statusCode, 204)
    assert.equal((await send(admin.token, 'PUT', member)).statusCode, 204)
    assert.equal(await seesLabs(), 200)
    const members = await send(admin.token, 'GET', `/v1/groups/${group.id}/members`)
    assert.deepEqual(members.json(), [{ user_id: viewer.id, login: 'viewer' }])
    assert.deepEqual((await send(viewer.token, 'GET', '/v1/auth/me')).json().groups, [{ id: group.id, name: 'leads' }])
    assert.equal((await send(admin.token, 'DELETE', member)).statusCode, 204)
    assert.equal((await send(admin.token, 'DELETE', member)).statusCode, 404)
    assert.equal(await seesLabs(), 404)
    const nobody = `/v1/groups/${group.id}/members/01900000-0000-7000-8000-000000000009`
    assert.equal((await send(admin.token, 'PUT', nobody)).statusCode, 404)
    assert.equal((await send(admin.token, 'DELETE', `/v1/groups/${group.id}`)).statusCode, 204)
    assert.deepEqual((await send(viewer.token, 'GET', '/v1/groups')).json(), [])
  })
})

describe('service accounts and tokens', () => {
  test('an owner makes a service account, and a token that is shown once', async () => {
    const made = await send(owner.token, 'POST', '/v1/service-accounts', { team_path: 'acme/web', name: 'ci' })
    assert.equal(made.statusCode, 201)
    const account = made.json()
    await send(owner.token, 'POST', '/v1/grants', {
      subject: `service_account:${account.id}`,
      role: 'operator',
      team_path: 'acme/web',
    })
    const answer = await send(owner.token, 'POST', '/v1/tokens', { name: 'deploy', service_account_id: account.id })
    assert.equal(answer.statusCode, 201)
    const { id, token } = answer.json()
    assert.match(token, /^sbxs_/)
    assert.equal((await send(token, 'GET', '/v1/auth/me')).json().name, 'acme/web/ci')
    const list = await send(owner.token, 'GET', '/v1/tokens')
    assert.doesNotMatch(list.body, new RegExp(token))
    assert.ok(
      list.json().some((one: { id: string; last_four: string }) => one.id === id && token.endsWith(one.last_four)),
    )
    assert.equal((await send(viewer.token, 'DELETE', `/v1/tokens/${id}`)).statusCode, 404)
    assert.equal((await send(owner.token, 'DELETE', `/v1/tokens/${id}`)).statusCode, 204)
    assert.equal((await send(token, 'GET', '/v1/auth/me')).statusCode, 401)
    const row = await db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(JSON.stringify(row).includes(token), false)
  })

  test('a disabled service account is nobody, an enabled one is back', async () => {
    const account = await aServiceAccount(db, 'acme', 'robot')
    const { token } = (await send(owner.token, 'POST', '/v1/tokens', { name: 'r', service_account_id: account })).json()
    const status = async () => (await send(token, 'GET', '/v1/auth/me')).statusCode
    assert.equal(await status(), 200)
    await send(owner.token, 'PATCH', `/v1/service-accounts/${account}`, { disabled: true })
    assert.equal(await status(), 401)
    await send(owner.token, 'PATCH', `/v1/service-accounts/${account}`, { disabled: false })
    assert.equal(await status(), 200)
    assert.equal((await send(owner.token, 'DELETE', `/v1/service-accounts/${account}`)).statusCode, 204)
    assert.equal(await status(), 401)
  })

  test('a service account that has changed since it was read is not changed by whoever read it before', async () => {
    const account = await aServiceAccount(db, 'acme', 'versioned')
    const address = `/v1/service-accounts/${account}`
    const change = (disabled: boolean, etag: string) =>
      http.app.inject({
        method: 'PATCH',
        url: address,
        payload: { disabled },
        headers: { authorization: `Bearer ${owner.token}`, 'if-match': etag },
      })
    const read = String((await send(owner.token, 'GET', address)).headers.etag)
    const disabled = await change(true, read)
    assert.equal(disabled.statusCode, 200)
    const late = await change(false, read)
    assert.deepEqual([late.statusCode, late.json().code], [409, 'version_conflict'])
    assert.equal((await change(false, String(disabled.headers.etag))).statusCode, 200)
  })

  test('a token of an account that the caller may not see is refused as one of an account that is not there', async () => {
    const account = await aServiceAccount(db, 'acme', 'hidden')
    const far = await aMember(db, 'far', 'owner', 'acme-labs')
    await database.notifications.ready()
    await clock.advance(5001)
    const [hidden, absent] = await Promise.all(
      [account, randomUUID()].map((id) => send(far.token, 'POST', '/v1/tokens', { name: 'x', service_account_id: id })),
    )
    assert.deepEqual([hidden?.statusCode, hidden?.json().detail], [400, absent?.json().detail])
  })

  test('a token never is a way to more than one has', async () => {
    const account = await aServiceAccount(db, 'acme', 'mighty')
    await aGrant(db, `service_account:${account}`, 'administrator', '/')
    await database.notifications.ready()
    await clock.advance(5001)
    const answer = await send(owner.token, 'POST', '/v1/tokens', { name: 'up', service_account_id: account })
    assert.equal(answer.statusCode, 403)
    assert.equal(answer.json().code, 'grant.exceeds_own')
    assert.equal((await send(owner.token, 'POST', '/v1/tokens', { name: 'up', user_id: admin.id })).statusCode, 403)
    assert.equal(
      (await send(viewer.token, 'POST', '/v1/tokens', { name: 'up', service_account_id: account })).statusCode,
      403,
    )
  })

  test('a user makes their own; the bootstrap token must say for whom; the past is refused', async () => {
    const own = await send(viewer.token, 'POST', '/v1/tokens', { name: 'laptop', expires_at: '2027-01-01T00:00:00Z' })
    assert.equal(own.statusCode, 201)
    assert.equal(own.json().user_id, viewer.id)
    const listed = async (token: string, query = '') =>
      (await send(token, 'GET', `/v1/tokens?limit=500${query}`)).json()
    const ownOf = async (token: string) =>
      (await listed(token, '&own=true')).map((each: { user_id: string }) => each.user_id)
    assert.ok((await ownOf(viewer.token)).every((userId: string) => userId === viewer.id))
    assert.deepEqual(await ownOf(admin.token), [admin.id], 'also of those who see all')
    assert.ok((await listed(admin.token)).length > 1)
    assert.deepEqual(await ownOf(BOOTSTRAP), [])
    assert.equal((await send(BOOTSTRAP, 'POST', '/v1/tokens', { name: 'x' })).statusCode, 400)
    assert.equal((await send(BOOTSTRAP, 'POST', '/v1/tokens', { name: 'x', user_id: viewer.id })).statusCode, 201)
    const past = await send(viewer.token, 'POST', '/v1/tokens', { name: 'x', expires_at: '2020-01-01T00:00:00Z' })
    assert.equal(past.json().errors[0].field, 'expires_at')
  })

  test('token creation is limited per address', async () => {
    const attempt = () => send(viewer.token, 'POST', '/v1/tokens', { name: 'many', expires_at: '2020-01-01T00:00:00Z' })
    let answer = await attempt()
    for (let i = 0; i < 40 && answer.statusCode !== 429; i++) answer = await attempt()
    assert.equal(answer.statusCode, 429)
    assert.ok(Number(answer.headers['retry-after']) >= 1)
    await clock.advance(60_000)
    assert.equal((await attempt()).statusCode, 400)
  })
})

describe('grants', () => {
  test('are given and taken, and hold at once', async () => {
    const newcomer = await aMember(db, 'newcomer', 'viewer', 'acme-labs')
    const sees = async () => (await send(newcomer.token, 'GET', '/v1/teams/acme%2Fweb')).statusCode
    assert.equal(await sees(), 404)
    const grant = { subject: `user:${newcomer.id}`, role: 'viewer', team_path: 'acme' }
    const made = await send(owner.token, 'POST', '/v1/grants', grant)
    assert.equal(made.statusCode, 201)
    assert.equal(made.json().subject_name, 'newcomer')
    assert.equal(await sees(), 200)
    assert.equal((await send(owner.token, 'POST', '/v1/grants', grant)).json().code, 'grant.exists')
    const listed = await send(viewer.token, 'GET', `/v1/grants?subject=user:${newcomer.id}`)
    assert.deepEqual(
      listed.json().map((one: { team_path: string }) => one.team_path),
      ['acme'],
    )
    assert.equal((await send(viewer.token, 'DELETE', `/v1/grants/${made.json().id}`)).statusCode, 403)
    assert.equal((await send(owner.token, 'DELETE', `/v1/grants/${made.json().id}`)).statusCode, 204)
    assert.equal(await sees(), 404)
  })

  test('nobody gives or takes more than they have', async () => {
    const subject = `user:${viewer.id}`
    const refused = [
      { subject, role: 'viewer', team_path: '/' },
      { subject, role: 'administrator', team_path: '/' },
      { subject, role: 'viewer', team_path: 'acme-labs' },
    ]
    for (const grant of refused) assert.equal((await send(owner.token, 'POST', '/v1/grants', grant)).statusCode, 403)
    const platformOwner = await aMember(db, 'platform-owner', 'owner', '/')
    const up = await send(platformOwner.token, 'POST', '/v1/grants', { subject, role: 'administrator', team_path: '/' })
    assert.equal(up.json().code, 'grant.exceeds_own')
    const [adminGrant] = (await send(admin.token, 'GET', `/v1/grants?subject=user:${admin.id}`)).json()
    assert.equal(
      (await send(platformOwner.token, 'DELETE', `/v1/grants/${adminGrant.id}`)).json().code,
      'grant.exceeds_own',
    )
    assert.equal(
      (await send(admin.token, 'POST', '/v1/grants', { subject, role: 'administrator', team_path: 'acme' })).statusCode,
      400,
    )
    const nobody = { subject: 'user:01900000-0000-7000-8000-000000000009', role: 'viewer', team_path: 'acme' }
    assert.equal((await send(admin.token, 'POST', '/v1/grants', nobody)).json().errors[0].field, 'subject')
    assert.equal(
      (await send(admin.token, 'POST', '/v1/grants', { subject, role: 'viewer', team_path: 'none' })).statusCode,
      400,
    )
    assert.equal(
      (await send(admin.token, 'POST', '/v1/grants', { subject, role: 'king', team_path: 'acme' })).statusCode,
      400,
    )
  })

  test('go with their team: one made anew under the same path begins with none', async () => {
    await send(admin.token, 'POST', '/v1/teams', { path: 'brief' })
    await send(admin.token, 'POST', '/v1/grants', { subject: `user:${viewer.id}`, role: 'owner', team_path: 'brief' })
    assert.equal((await send(viewer.token, 'GET', '/v1/teams/brief')).statusCode, 200)
    assert.equal((await send(admin.token, 'DELETE', '/v1/teams/brief')).statusCode, 204)
    await send(admin.token, 'POST', '/v1/teams', { path: 'brief' })
    await clock.advance(5001)
    assert.equal((await send(viewer.token, 'GET', '/v1/teams/brief')).statusCode, 404)
  })
})

describe('the bootstrap token and the last administrator', () => {
  before(async () => {
    await db.deleteFrom('service_accounts').where('name', '=', 'mighty').execute()
    await clock.advance(5001)
  })

  test('is revoked by a real administrator, not by itself or an owner', async () => {
    assert.equal((await send(BOOTSTRAP, 'DELETE', '/v1/auth/bootstrap')).statusCode, 403)
    assert.equal((await send(owner.token, 'DELETE', '/v1/auth/bootstrap')).statusCode, 403)
    assert.equal((await send(admin.token, 'DELETE', '/v1/auth/bootstrap')).statusCode, 204)
    assert.equal((await send(BOOTSTRAP, 'GET', '/v1/auth/me')).statusCode, 401)
    assert.equal((await send(admin.token, 'DELETE', '/v1/auth/bootstrap')).statusCode, 404)
  })

  test('after that the last administrator can be neither deleted, disabled nor stripped', async () => {
    const [grant] = (await send(admin.token, 'GET', `/v1/grants?subject=user:${admin.id}`)).json()
    const attempts = [
      await send(admin.token, 'DELETE', `/v1/grants/${grant.id}`),
      await send(admin.token, 'DELETE', `/v1/users/${admin.id}`),
      await send(admin.token, 'PATCH', `/v1/users/${admin.id}`, { disabled: true }),
    ]
    for (const answer of attempts) assert.equal(answer.json().code, 'access.last_administrator')
    assert.equal((await send(admin.token, 'GET', '/v1/auth/me')).json().capabilities.administrator, true)
    const second = await aMember(db, 'second', 'administrator', '/')
    assert.equal((await send(second.token, 'DELETE', `/v1/users/${admin.id}`)).statusCode, 204)
  })
})
