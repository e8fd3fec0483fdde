import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator, testCaller } from '#platform/testing'
import { about } from './index.ts'

const { database } = await createTestDatabase()
const url = 'postgres://signalbox:hush-hush@db.example:6543/box?sslmode=verify-full'
const kit = createTestKit(database, { env: { DATABASE_URL: url, ROLES: 'api,worker' } })
const parts = await about.open(kit, { version: '1.2.3', findPageVersion: async () => 'abc' })
const callers = { root: testCaller(), member: testCaller({ acme: ['*'] }) }
const http = await createTestHttp(parts.routes ?? [], testAuthenticator(callers))
after(() => http.app.close())

const ask = async (who?: string) => {
  const headers = who === undefined ? {} : { authorization: `Bearer ${who}` }
  return http.app.inject({ url: '/v1/about', headers })
}

describe('GET /v1/about', () => {
  test('tells a member the versions and the licences, and nothing of the machine', async () => {
    const answer = await ask('member')
    const { licenses, ...rest } = answer.json()
    assert.deepEqual(rest, { version: '1.2.3', page_version: 'abc', system: null })
    assert.ok(licenses.some((one: { license: string }) => one.license === 'Apache-2.0'))
    assert.doesNotMatch(answer.body, /db\.example|worker|v24/)
    assert.equal((await ask()).statusCode, 401)
  })

  test('tells an administrator what it stands on, and no password', async () => {
    const answer = await ask('root')
    const { system } = answer.json()
    assert.deepEqual(system.roles.toSorted(), ['api', 'worker'])
    assert.deepEqual(system.database.embedded, false)
    assert.equal(system.database.place, 'db.example:6543, database box')
    assert.match(system.database.version, /^18/)
    assert.ok(new Date(system.started_at) <= new Date(system.now))
    assert.doesNotMatch(answer.body, /hush-hush/)
  })
})
