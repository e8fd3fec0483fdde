import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { answer, type Route } from '#platform/http'
import {
  createTestClock,
  createTestDatabase,
  createTestHttp,
  createTestKit,
  startOutage,
  until,
} from '#platform/testing'
import { anEnvironment, aTeam } from '#rooms/foundation/teams/testing'
import { aGrant, aMember, aUser, openFoundation } from '../testing.ts'
import { keepSnapshot } from './snapshot-keeper.ts'

const { database, url } = await createTestDatabase()
const db = database.kysely
const clock = createTestClock()
const kit = createTestKit(database, { clock, env: { BOOTSTRAP_ADMIN_TOKEN: 'configured-so-that-setup-is-done' } })
const house = await openFoundation(kit)
const { access } = house
// A route that needs nothing of the database but the answer whether the caller may use it.
const probe: Route = {
  name: 'probe',
  shapes: {},
  method: 'GET',
  path: '/v1/probe',
  summary: 'probe',
  tag: 'test',
  class: 'authorized',
  permission: 'run.read',
  responses: { 204: 'empty' },
  handle: async (request) => answer(request.caller.can('run.read', 'acme') ? 204 : 403),
}
const http = await createTestHttp([...house.routes, probe], access.authenticator)
await aTeam(db, 'acme/web')
const member = await aMember(db, 'ada', 'operator', 'acme')
after(async () => {
  await http.app.close()
  await house.close()
})

const ask = () => http.app.inject({ url: '/v1/probe', headers: member.headers })

describe('the snapshot of who may do what', () => {
  test('is not read again within 5 seconds while nothing changes', async () => {
    const first = await access.snapshot()
    await clock.advance(5000)
    assert.equal(await access.snapshot(), first)
    await clock.advance(1)
    assert.equal(await access.snapshot(), first, 'looked at, unchanged, kept')
  })

  test('a change by another process is seen at once, by its notification', async () => {
    await database.notifications.ready()
    const other = await aUser(db, 'bob')
    await aGrant(db, `user:${other}`, 'viewer', 'acme')
    const can = async () => (await access.subject('user', other))?.can('run.read', 'acme')
    await until('the grant', can, (held) => held === true)
    await db.deleteFrom('grants').where('user_id', '=', other).execute()
    await until('the end of the grant', can, (held) => held === false)
  })

  test('a user that is disabled is nobody, and so is one that a trigger or a run names', async () => {
    const user = await aUser(db, 'carol')
    await aGrant(db, `user:${user}`, 'viewer', 'acme')
    const find = () => access.subject('user', user)
    await until('the user', find, (found) => found !== undefined)
    await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', user).execute()
    await until('the end of the user', find, (found) => found === undefined)
  })

  test('a scope that was made a moment ago is found, and its protection holds at once', async () => {
    const caller = await access.subject('user', member.id)
    assert.ok(caller)
    await anEnvironment(db, 'acme/web/test')
    assert.equal(await access.canUseScope(caller, 'acme/web/test'), true)
    await db.updateTable('environments').set({ protected: true }).execute()
    await until(
      'the protection',
      () => access.canUseScope(caller, 'acme/web/test'),
      (can) => !can,
    )
    assert.equal(await access.canUseScope(caller, 'acme/web/none'), false)
  })
})

describe('with the database gone', () => {
  test('a snapshot is used until it is 30 seconds old, then every authorized route is 503 until the database is back', async () => {
    assert.equal((await ask()).statusCode, 204)
    await clock.advance(5001)
    assert.equal((await ask()).statusCode, 204)
    const outage = await startOutage(url)
    try {
      await clock.advance(5001)
      assert.equal((await ask()).statusCode, 204, 'young enough')
      await clock.advance(24_999)
      assert.equal((await ask()).statusCode, 204, 'exactly 30 s old')
      await clock.advance(1)
      const refused = await ask()
      assert.equal(refused.statusCode, 503)
      assert.equal(refused.json().code, 'authorization_unavailable')
      assert.ok(refused.headers['retry-after'])
      await assert.rejects(access.subject('user', member.id), { code: 'authorization_unavailable' })
      assert.equal((await http.app.inject({ url: '/v1/auth/me', headers: member.headers })).statusCode, 503)
      const malformed = await http.app.inject({ url: '/v1/probe', headers: { authorization: 'Bearer nonsense' } })
      assert.equal(malformed.statusCode, 401, 'a malformed token needs no database')
    } finally {
      await outage.end()
    }
    const answered = await until('the database to be back', ask, (reply) => reply.statusCode !== 503)
    assert.equal(answered.statusCode, 204, 'a failed look was not kept as a denial')
  })

  test('an unknown token is 503, not 401: nobody can say that it is wrong', async () => {
    const unseen = await aMember(db, 'carl', 'viewer', 'acme')
    await ask()
    const outage = await startOutage(url)
    try {
      const reply = await http.app.inject({ url: '/v1/probe', headers: unseen.headers })
      assert.equal(reply.statusCode, 503)
    } finally {
      await outage.end()
    }
    const back = () => http.app.inject({ url: '/v1/probe', headers: unseen.headers })
    await until('the database to be back', back, (reply) => reply.statusCode === 204)
  })

  test('a change that is known of is never passed over: 503 although the snapshot is young', async () => {
    await until('a fresh snapshot', ask, (reply) => reply.statusCode === 204)
    const keeper = keepSnapshot(kit, house.teams)
    await keeper.get()
    const outage = await startOutage(url)
    try {
      assert.ok(await keeper.getNew(), 'a doubt alone is no change')
      keeper.invalidate()
      await assert.rejects(keeper.get(), { code: 'authorization_unavailable' })
    } finally {
      await outage.end()
    }
    await until('the database to be back', () => keeper.get().then(Boolean, () => false), Boolean)
    keeper.close()
  })
})
