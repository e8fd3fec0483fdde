import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createSealer } from '#platform/crypto'
import {
  createTestClock,
  createTestDatabase,
  createTestHttp,
  createTestKit,
  testAuthenticator,
  testCaller,
  until,
} from '#platform/testing'
import { openFoundation } from '#rooms/foundation/access/testing'
import { aTeam } from '#rooms/foundation/teams/testing'
import { resealSecrets } from './actions/reseal-secrets.ts'
import { NOTHING_ABOVE } from './testing.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const clock = createTestClock()
const oldKey = Buffer.alloc(32, 1)
const sealed1 = createSealer(new Map([[1, oldKey]]))
// A variable that is set and not allow-listed is there to be refused.
const env = { CREDENTIAL_ENV_ALLOWLIST: 'DEPLOY_KEY', DEPLOY_KEY: 'from-env', OTHER_KEY: 'hidden' }
const kit = { ...createTestKit(database, { clock, env }), sealer: sealed1 }
const house = await openFoundation(kit)
const callers = {
  owner: testCaller({ acme: ['secret.read', 'secret.write', 'audit.read'] }),
  viewer: testCaller({ 'acme/web': ['secret.read'] }),
  stranger: testCaller({ 'acme-labs': ['secret.read', 'secret.write'] }),
}
const http = await createTestHttp(house.routes, testAuthenticator(callers))
for (const path of ['acme/web', 'acme-labs']) await aTeam(db, path)
after(async () => {
  await http.app.close()
  await house.close()
})

const send = (
  as: keyof typeof callers,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
  headers = {},
) => {
  const options: InjectOptions = { method, url, headers: { authorization: `Bearer ${as}`, ...headers } }
  return http.app.inject(body ? { ...options, payload: body } : options)
}
const aStored = async (name: string, value: string, more = {}) => {
  const answer = await send('owner', 'POST', '/v1/secrets', { team_path: 'acme/web', name, value, ...more })
  assert.equal(answer.statusCode, 201)
  return answer.json()
}
const read = (ref: string, forTeamPath: string) => house.secrets.read(db, ref, forTeamPath)

describe('/v1/secrets', () => {
  test('a value goes in and never comes out: not in an answer, the audit or the tables', async () => {
    const made = await aStored('npm', 'very-secret-value')
    assert.equal(made.version, 1)
    const answers = [
      await send('owner', 'GET', '/v1/secrets'),
      await send('viewer', 'GET', `/v1/secrets/${made.id}`),
      await send('owner', 'PUT', `/v1/secrets/${made.id}`, { value: 'very-secret-too' }),
      await send('owner', 'GET', `/v1/audit?resource=secret:${made.id}`),
    ]
    for (const answer of answers) {
      assert.equal(answer.statusCode, 200)
      assert.doesNotMatch(answer.body, /very-secret/)
    }
    assert.deepEqual(
      answers[3]?.json().map((record: { action: string }) => record.action),
      ['secret.updated', 'secret.created'],
    )
    const rows = await db.selectFrom('secret_versions').selectAll().execute()
    for (const row of rows) assert.equal(row.sealed.includes('very-secret'), false)
  })

  test('limits of a value: one byte to 64 KiB, no NUL', async () => {
    const attempt = (value: unknown) =>
      send('owner', 'POST', '/v1/secrets', { team_path: 'acme', name: 'limit', value })
    for (const value of ['', 'a\0b', 'x'.repeat(65_537), '€'.repeat(21_846), 7, null]) {
      assert.equal((await attempt(value)).statusCode, 400, JSON.stringify(value)?.slice(0, 20))
    }
    assert.equal((await attempt('x'.repeat(65_536))).statusCode, 201)
    const again = await attempt('y')
    assert.equal(again.statusCode, 409)
    assert.equal(again.json().code, 'secret.name_taken')
  })

  test('who may see and write', async () => {
    const { id } = await aStored('guarded', 'x')
    assert.equal((await send('viewer', 'PUT', `/v1/secrets/${id}`, { value: 'y' })).statusCode, 403)
    assert.equal((await send('viewer', 'DELETE', `/v1/secrets/${id}`)).statusCode, 403)
    for (const method of ['GET', 'DELETE'] as const) {
      assert.equal((await send('stranger', method, `/v1/secrets/${id}`)).statusCode, 404)
    }
    const forbidden = { team_path: 'acme', name: 'n', value: 'v' }
    assert.equal((await send('stranger', 'POST', '/v1/secrets', forbidden)).statusCode, 403)
    assert.deepEqual((await send('stranger', 'GET', '/v1/secrets')).json(), [])
    assert.equal((await send('owner', 'POST', '/v1/secrets', { ...forbidden, team_path: 'acme/none' })).statusCode, 400)
    assert.equal((await send('owner', 'GET', '/v1/secrets/not-a-uuid')).statusCode, 400)
  })

  test('PUT honours If-Match, DELETE takes every version away', async () => {
    const { id } = await aStored('versioned', 'one')
    const stale = await send('owner', 'PUT', `/v1/secrets/${id}`, { value: 'two' }, { 'if-match': '"7"' })
    assert.equal(stale.statusCode, 409)
    const put = await send('owner', 'PUT', `/v1/secrets/${id}`, { value: 'two' }, { 'if-match': '"1"' })
    assert.equal(put.json().version, 2)
    assert.equal(put.headers.etag, '"2"')
    assert.equal((await send('owner', 'DELETE', `/v1/secrets/${id}`)).statusCode, 204)
    assert.ok('unusable' in (await read('secret:acme/web/versioned', 'acme/web')))
  })
})

describe('credential references', () => {
  test('two versions live while a sender is rotated, newest first', async () => {
    const { id } = await aStored('hook', 'first')
    const values = async () => {
      const got = await read('secret:acme/web/hook', 'acme/web')
      return 'unusable' in got ? got.unusable : got.values
    }
    await send('owner', 'PUT', `/v1/secrets/${id}`, { value: 'second' })
    assert.deepEqual(await values(), ['second', 'first'])
    await send('owner', 'PUT', `/v1/secrets/${id}`, { value: 'third' })
    assert.deepEqual(await values(), ['third', 'second'])
    await send('owner', 'PUT', `/v1/secrets/${id}`, { value: 'fourth', keep_previous: false })
    assert.deepEqual(await values(), ['fourth'])
  })

  test('a secret is visible to its team and those below it, at the borders of path parts', async () => {
    await send('owner', 'POST', '/v1/secrets', { team_path: 'acme', name: 'shared', value: 'x' })
    assert.equal(await house.secrets.check(db, 'secret:acme/shared', 'acme/web'), undefined)
    assert.equal(await house.secrets.check(db, 'secret:acme/shared', 'acme'), undefined)
    for (const [ref, team] of [
      ['secret:acme/shared', 'acme-labs'],
      ['secret:acme/web/npm', 'acme'],
      ['secret:acme/none', 'acme'],
      ['secret:shared', 'acme'],
      ['secret:', 'acme'],
      ['secret:acme/../acme/shared', 'acme'],
      ['file:/etc/passwd', 'acme'],
      ['', 'acme'],
    ] as const) {
      assert.match((await house.secrets.check(db, ref, team)) ?? '', /secret|reference/, ref)
    }
  })

  test('env: reads what the operator allows and nothing else', async () => {
    assert.deepEqual(await read('env:DEPLOY_KEY', 'acme'), {
      values: ['from-env'],
      secretId: undefined,
      versions: [],
    })
    for (const name of ['OTHER_KEY', 'PATH', 'NONE', 'A=B', '__proto__']) {
      assert.ok('unusable' in (await read(`env:${name}`, 'acme')), name)
    }
  })

  test('a value that another key sealed is unusable, not an error', async () => {
    const other = await openFoundation({ ...kit, sealer: createSealer(new Map([[1, Buffer.alloc(32, 9)]])) })
    assert.match((await other.secrets.check(db, 'secret:acme/web/npm', 'acme/web')) ?? '', /secret_key/)
    assert.match((await other.secrets.findKeyFault()) ?? '', /secret_key/)
    assert.equal(await house.secrets.findKeyFault(), undefined)
  })
})

describe('secrets of a run', () => {
  test('are read by name; one that may not be used names itself', async () => {
    await aStored('deploy', 'd', { environments: ['production'] })
    const wanted = [
      { name: 'NPM_TOKEN', path: 'acme/web/npm' },
      { name: 'DEPLOY', path: 'acme/web/deploy' },
    ]
    const got = await house.secrets.readForRun(db, wanted, 'acme/web', 'acme/web/production')
    assert.deepEqual('values' in got && got.values, { NPM_TOKEN: 'very-secret-too', DEPLOY: 'd' })
    for (const [team, scope] of [
      ['acme/web', 'acme/web/test'],
      ['acme/web', undefined],
      ['acme-labs', 'acme/web/production'],
      // An environment of the same name in another team is another environment.
      ['acme/web', 'acme-labs/production'],
      ['acme/web', 'acme/web-labs/production'],
      ['acme/web', 'acme/production'],
    ] as const) {
      const refused = await house.secrets.readForRun(db, wanted, team, scope)
      assert.ok('unusable' in refused, `${team} in ${scope}`)
    }
    assert.ok('values' in (await house.secrets.readForRun(db, wanted, 'acme/web/api', 'acme/web/api/production')))
  })

  test('the last use is noted, at most once a minute', async () => {
    const { id } = await aStored('used', 'x')
    const lastUse = async () => (await send('owner', 'GET', `/v1/secrets/${id}`)).json().last_used_at
    const use = async () => house.secrets.markUsed(await read('secret:acme/web/used', 'acme/web'))
    assert.equal(await lastUse(), null)
    const first = clock.now().toISOString()
    await use()
    await until('the first use', lastUse, (at) => at === first)
    await clock.advance(59_999)
    await use()
    assert.equal(await lastUse(), first)
    await clock.advance(1)
    await use()
    const second = clock.now().toISOString()
    await until('the second use', lastUse, (at) => at === second)
  })
})

describe('rotation', () => {
  const versionsOf = async (id: string) => (await send('viewer', 'GET', `/v1/secrets/${id}`)).json().versions

  test('both versions live, each with its last use, until the older is retired', async () => {
    const { id } = await aStored('rotating', 'first')
    await clock.advance(60_000)
    const put = await send('owner', 'PUT', `/v1/secrets/${id}`, { value: 'second' })
    assert.deepEqual(
      put.json().versions.map(({ version }: { version: number }) => version),
      [2, 1],
    )
    const both = await read('secret:acme/web/rotating', 'acme/web')
    assert.deepEqual('values' in both && [both.values, both.versions], [
      ['second', 'first'],
      [2, 1],
    ])
    house.secrets.markUsed(both, 1)
    const usedAt = clock.now().toISOString()
    await until(
      'the use of the older one',
      () => versionsOf(id),
      (versions) => versions[1].last_used_at === usedAt,
    )
    assert.equal((await versionsOf(id))[0].last_used_at, null)
    const listed = (await send('viewer', 'GET', '/v1/secrets')).json().find((one: { id: string }) => one.id === id)
    assert.deepEqual(listed.versions, await versionsOf(id))

    const retire = (version: number | string, as: 'owner' | 'viewer' | 'stranger' = 'owner') =>
      send(as, 'DELETE', `/v1/secrets/${id}/versions/${version}`)
    assert.equal((await retire(1, 'viewer')).statusCode, 403)
    assert.equal((await retire(1, 'stranger')).statusCode, 404)
    assert.equal((await retire('one')).statusCode, 400)
    assert.equal((await retire(7)).statusCode, 404)
    const inUse = await retire(2)
    assert.deepEqual([inUse.statusCode, inUse.json().code], [409, 'secret.version_in_use'])
    assert.equal((await retire(1)).statusCode, 204)
    assert.equal((await retire(1)).statusCode, 404)
    const one = await read('secret:acme/web/rotating', 'acme/web')
    assert.deepEqual('values' in one && one.values, ['second'])
    const [record] = (await send('owner', 'GET', `/v1/audit?resource=secret:${id}`)).json()
    assert.equal(record.action, 'secret.version_retired')
    assert.deepEqual([record.before.live_versions, record.after.live_versions], [[2, 1], [2]])
  })

  test('a use of the older one counts at once, however recently it was used before', async () => {
    const { id } = await aStored('busy', 'first')
    const lastUses = async () => (await versionsOf(id)).map((one: { last_used_at: string | null }) => one.last_used_at)
    const before = clock.now().toISOString()
    house.secrets.markUsed(await read('secret:acme/web/busy', 'acme/web'))
    await until('the first use', lastUses, ([last]) => last === before)
    await clock.advance(1_000)
    await send('owner', 'PUT', `/v1/secrets/${id}`, { value: 'second' })
    await clock.advance(1_000)
    const since = clock.now().toISOString()
    house.secrets.markUsed(await read('secret:acme/web/busy', 'acme/web'), 1)
    await until('the use since', lastUses, ([, older]) => older === since)
  })

  test('a version that was never used gives way to the next, not the one that senders sign with', async () => {
    const { id } = await aStored('mistyped', 'first')
    const use = async (index: number) => {
      house.secrets.markUsed(await read('secret:acme/web/mistyped', 'acme/web'), index)
      const usedAt = clock.now().toISOString()
      const lastUse = async () => (await versionsOf(id))[index].last_used_at
      await until('the use', lastUse, (at) => at === usedAt)
    }
    const replace = async (value: string) => {
      await clock.advance(60_000)
      const { versions } = (await send('owner', 'PUT', `/v1/secrets/${id}`, { value })).json()
      return versions.map(({ version }: { version: number }) => version)
    }
    await use(0)
    assert.deepEqual(await replace('secnod'), [2, 1])
    assert.deepEqual(await replace('second'), [3, 1])
    const both = await read('secret:acme/web/mistyped', 'acme/web')
    assert.deepEqual('values' in both && both.values, ['second', 'first'])
    await clock.advance(60_000)
    await use(1)
    await clock.advance(60_000)
    await use(0)
    // Both uses proved a version; the last use stays.
    assert.deepEqual(await replace('third'), [4, 3])
  })

  test('the last use of a secret is that of any of its versions', async () => {
    const { id } = await aStored('twice', 'first')
    const mark = async (index: number) => house.secrets.markUsed(await read('secret:acme/web/twice', 'acme/web'), index)
    await mark(0)
    await until(
      'the first',
      async () => (await versionsOf(id))[0].last_used_at,
      (at) => at !== null,
    )
    await clock.advance(1_000)
    await send('owner', 'PUT', `/v1/secrets/${id}`, { value: 'second' })
    await mark(0)
    const usedAt = clock.now().toISOString()
    await until(
      'the second',
      async () => (await versionsOf(id))[0].last_used_at,
      (at) => at === usedAt,
    )
    assert.equal((await send('viewer', 'GET', `/v1/secrets/${id}`)).json().last_used_at, usedAt)
  })

  test('the versions of a credential reference are told to whom it is visible', async () => {
    const { id } = await aStored('shown', 'x')
    const known = await house.secrets.listVersions(db, 'secret:acme/web/shown', 'acme/web')
    assert.deepEqual(
      known.map(({ secretId, version, lastUsedAt }) => ({ secretId, version, lastUsedAt })),
      [{ secretId: id, version: 1, lastUsedAt: null }],
    )
    for (const [ref, team] of [
      ['secret:acme/web/shown', 'acme-labs'],
      ['secret:acme/web/none', 'acme/web'],
      ['env:DEPLOY_KEY', 'acme'],
      ['nothing', 'acme'],
    ] as const) {
      assert.deepEqual(await house.secrets.listVersions(db, ref, team), [])
    }
  })
})

describe('a new version of the key', () => {
  test('the job seals everything anew, and the old key may go', async () => {
    const newKey = Buffer.alloc(32, 2)
    const both = {
      ...kit,
      ...house,
      above: NOTHING_ABOVE,
      sealer: createSealer(
        new Map([
          [1, oldKey],
          [2, newKey],
        ]),
      ),
    }
    const count = (await db.selectFrom('secret_versions').select('version').execute()).length
    assert.equal(await resealSecrets(both, new AbortController().signal), count)
    assert.equal(await resealSecrets(both, new AbortController().signal), 0)
    const onlyNew = await openFoundation({ ...kit, sealer: createSealer(new Map([[2, newKey]])) })
    assert.equal(await onlyNew.secrets.check(db, 'secret:acme/web/npm', 'acme/web'), undefined)
  })
})
