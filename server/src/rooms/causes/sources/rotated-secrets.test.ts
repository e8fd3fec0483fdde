import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestDatabase, until } from '#platform/testing'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aConnectedSource, deliver, openCauses, TEAM } from './testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())

const value = (version: number): string => `the secret of version ${version}`
const push = (version: number) => signPush({ secret: value(version), deliveryId: randomUUID() })

test('the delivery that follows a change of its secret is verified by what was stored', async () => {
  const created = await causes.call('POST', '/v1/secrets', { team_path: TEAM, name: 'rotated', value: value(1) })
  const secret = `/v1/secrets/${String(created.body['id'])}`
  const { url } = await aConnectedSource(causes, { name: 'rotated', credential_ref: `secret:${TEAM}/rotated` })
  assert.equal((await deliver(causes, url, push(1))).status, 202)
  for (let version = 2; version <= 8; version++) {
    assert.equal((await causes.call('PUT', secret, { value: value(version) })).status, 200)
    assert.notEqual((await deliver(causes, url, push(version))).status, 401, `version ${version} is stored`)
    assert.notEqual((await deliver(causes, url, push(version - 1))).status, 401, `version ${version - 1} is live`)
    assert.equal((await causes.call('DELETE', `${secret}/versions/${version - 1}`)).status, 204)
    assert.equal((await deliver(causes, url, push(version - 1))).status, 401, `version ${version - 1} is retired`)
  }
  assert.equal((await causes.call('DELETE', secret)).status, 409, 'the source needs it')
  assert.equal((await deliver(causes, url, push(8))).status, 202)
  // Past the API, as one might that repairs by hand.
  await testDatabase.database.kysely.deleteFrom('secrets').where('name', '=', 'rotated').execute()
  const refused = async () => (await deliver(causes, url, push(8))).status
  await until('there to be nothing left to verify by', refused, (status) => status === 503)
})

test('a slip of the hand during a rotation cuts nobody off: the version that the provider knows goes on working', async () => {
  const created = await causes.call('POST', '/v1/secrets', { team_path: TEAM, name: 'mistyped', value: value(1) })
  const secret = `/v1/secrets/${String(created.body['id'])}`
  const { url } = await aConnectedSource(
    causes,
    { name: 'mistyped', credential_ref: `secret:${TEAM}/mistyped` },
    { name: 'mistyped' },
  )
  assert.equal((await deliver(causes, url, push(1))).status, 202)
  const lastUse = async () => (await causes.call('GET', secret)).body['last_used_at']
  await until('the use to be noted', lastUse, (at) => at !== null)
  for (const version of [2, 3]) await causes.call('PUT', secret, { value: value(version) })
  assert.notEqual((await deliver(causes, url, push(1))).status, 401)
  assert.equal((await deliver(causes, url, push(2))).status, 401)
  assert.notEqual((await deliver(causes, url, push(3))).status, 401)
})
