import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase, createTestHttp, createTestKit } from '#platform/testing'
import { aMember, aServiceAccount, aToken, openFoundation } from '#rooms/foundation/access/testing'
import { aTeam } from '#rooms/foundation/teams/testing'
import { preferences } from './index.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const kit = createTestKit(database)
const house = await openFoundation(kit)
const parts = await preferences.open(kit, {})
const http = await createTestHttp(parts.routes ?? [], house.access.authenticator)
after(async () => {
  await http.app.close()
  await house.close()
})
const ada = await aMember(db, 'ada', 'viewer', '/')
const bob = await aMember(db, 'bob', 'viewer', '/')
await aTeam(db, 'acme')

const ask = async (token: string | undefined, method: 'GET' | 'PUT', url: string, payload?: object) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await http.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers, body: answer.json() }
}

const DEFAULTS = {
  color_scheme: 'system',
  density: 'compact',
  time_zone: null,
  shortcuts: true,
  last_seen: {},
  pinned_teams: [],
  log: { wrap: false, times: false, numbers: true },
}
const put = (body: object, ifMatch?: string) =>
  http.app.inject({
    method: 'PUT',
    url: '/v1/preferences',
    headers: { ...ada.headers, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
    payload: body,
  })

describe('preferences of a user', () => {
  test('are the defaults until somebody saves; what is left out is a default again', async () => {
    const before = await ask(ada.token, 'GET', '/v1/preferences')
    assert.deepEqual(before.body, DEFAULTS)
    const saved = await put({
      color_scheme: 'dark',
      time_zone: 'Europe/Berlin',
      log: { wrap: true },
      last_seen: { 'acme/web': '2026-11-23T10:00:00.000Z' },
    })
    assert.equal(saved.statusCode, 200, saved.body)
    const expected = {
      ...DEFAULTS,
      color_scheme: 'dark',
      time_zone: 'Europe/Berlin',
      log: { wrap: true, times: false, numbers: true },
      last_seen: { 'acme/web': '2026-11-23T10:00:00.000Z' },
    }
    assert.deepEqual(saved.json(), expected)
    assert.deepEqual((await ask(ada.token, 'GET', '/v1/preferences')).body, expected)
    assert.deepEqual((await ask(bob.token, 'GET', '/v1/preferences')).body, DEFAULTS, 'of nobody else')
    assert.deepEqual((await put({})).json(), DEFAULTS)
  })

  test('a page that read an older document is told so, the first save included', async () => {
    await db.deleteFrom('preferences').execute()
    const first = await ask(ada.token, 'GET', '/v1/preferences')
    const etag = String(first.headers['etag'])
    const answers = await Promise.all([put({ density: 'comfortable' }, etag), put({ color_scheme: 'dark' }, etag)])
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 409])
    const now = await ask(ada.token, 'GET', '/v1/preferences')
    assert.notEqual(now.headers['etag'], etag)
    assert.equal((await put({ shortcuts: false }, String(now.headers['etag']))).statusCode, 200)
  })

  test('a refused first save stores nothing', async () => {
    await db.deleteFrom('preferences').execute()
    assert.equal((await put({}, '"17"')).statusCode, 409)
    assert.deepEqual(await db.selectFrom('preferences').select('user_id').execute(), [])
  })

  for (const [name, body, field] of [
    ['a field that there is not', { colour: 'red' }, 'colour'],
    ['a zone that there is not', { time_zone: 'Europe/Nowhere' }, 'time_zone'],
    ['an offset as a zone', { time_zone: '+01:00' }, 'time_zone'],
    ['a team that is no path', { last_seen: { '../x': '2026-11-23T10:00:00Z' } }, 'last_seen'],
    ['a word as an instant', { last_seen: { acme: 'yesterday' } }, 'last_seen'],
    ['a team pinned twice', { pinned_teams: ['acme', 'acme'] }, 'pinned_teams'],
    [
      '201 teams',
      { last_seen: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`t${at}`, '2026-11-23T10:00:00Z'])) },
      'last_seen',
    ],
    [
      'more than 16 KiB',
      {
        last_seen: Object.fromEntries(
          Array.from({ length: 100 }, (_, at) => [`t${at}/${'x'.repeat(300)}`, '2026-11-23T10:00:00Z']),
        ),
      },
      'last_seen',
    ],
  ] as const) {
    test(`${name} is refused, and the field is named`, async () => {
      const refused = await put(body)
      assert.equal(refused.statusCode, 400, refused.body)
      assert.match(refused.body, new RegExp(field))
    })
  }

  test('as much as 16 KiB is kept', async () => {
    const last_seen = Object.fromEntries(
      Array.from({ length: 45 }, (_, at) => [`t${at}/${'x'.repeat(310)}`, '2026-11-23T10:00:00Z']),
    )
    const kept = await put({ last_seen })
    assert.equal(kept.statusCode, 200, kept.body)
  })

  test('a document that a newer version cannot read counts as none', async () => {
    await db
      .updateTable('preferences')
      .set({ document: JSON.stringify({ color_scheme: 'sepia' }) })
      .execute()
    assert.deepEqual((await ask(ada.token, 'GET', '/v1/preferences')).body, DEFAULTS)
  })

  test('a service account has none', async () => {
    const robot = await aToken(db, { kind: 'service_account', id: await aServiceAccount(db, 'acme', 'robot') })
    for (const method of ['GET', 'PUT'] as const) {
      const refused = await ask(robot.token, method, '/v1/preferences', method === 'PUT' ? {} : undefined)
      assert.equal(refused.status, 403, refused.text)
    }
    assert.equal((await ask(undefined, 'GET', '/v1/preferences')).status, 401)
  })

  test('go with the user', async () => {
    await put({ density: 'comfortable' })
    await db.deleteFrom('users').where('id', '=', ada.id).execute()
    assert.deepEqual(await db.selectFrom('preferences').select('user_id').execute(), [])
  })
})
