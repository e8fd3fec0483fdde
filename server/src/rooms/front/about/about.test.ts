import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { SystemSetting } from '@signalbox/contracts/about'
import { OPTIONS } from '#platform/config'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator, testCaller } from '#platform/testing'
import { about } from './index.ts'

const { database } = await createTestDatabase()
const url = 'postgres://signalbox:hush-hush@db.example:6543/box?sslmode=verify-full'
const PLANTED = ['hush-hush', 'hush-client', 'hush-key-of-24-characters', 'hush-in-address']
const kit = createTestKit(database, {
  env: {
    DATABASE_URL: url,
    ROLES: 'api,worker',
    SECRET_KEY: 'hush-key-of-24-characters',
    S3_ENDPOINT: 'https://keeper:hush-in-address@s3.example.com',
    SIGN_IN_PROVIDERS: JSON.stringify([
      { id: 'sso', name: 'SSO', issuer: 'https://sso.example.com', client_id: 'box', client_secret: 'hush-client' },
    ]),
  },
})
const parts = await about.open(kit, { version: '1.2.3', findPageVersion: async () => 'abc' })
const callers = { root: testCaller(), member: testCaller({ acme: ['*'] }) }
const http = await createTestHttp(parts.routes ?? [], testAuthenticator(callers))
after(() => http.app.close())

const ask = async (who?: string, address = '/v1/about') => {
  const headers = who === undefined ? {} : { authorization: `Bearer ${who}` }
  return http.app.inject({ url: address, headers })
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

describe('GET /v1/system/settings', () => {
  const settings = async () => {
    const answer = await ask('root', '/v1/system/settings')
    assert.equal(answer.statusCode, 200, answer.body)
    return { answer, of: new Map<string, SystemSetting>(answer.json().map((one: SystemSetting) => [one.name, one])) }
  }

  test('tells an administrator each option, its value and where it comes from', async () => {
    const { of } = await settings()
    assert.equal(of.size, Object.keys(OPTIONS).length)
    assert.deepEqual(of.get('roles'), {
      name: 'roles',
      value: 'api, worker',
      default: 'api,gateway,dispatcher,scheduler,worker',
      origin: 'environment',
      type: 'list',
      hidden: false,
      text: 'Parts that this process runs: api (HTTP), gateway (runner connections), dispatcher, scheduler, worker (jobs and reactions).',
    })
    assert.deepEqual([of.get('port')?.value, of.get('port')?.origin], ['8080', 'default'])
    assert.deepEqual([of.get('ui_url')?.value, of.get('ui_url')?.origin], [null, 'unset'])
  })

  test('says of a secret that it is set, and never what it is', async () => {
    const { answer, of } = await settings()
    for (const name of ['database_url', 'secret_key']) {
      assert.deepEqual([of.get(name)?.value, of.get(name)?.hidden], ['set', true], name)
    }
    assert.equal(of.get('bootstrap_admin_token')?.value, null)
    assert.equal(of.get('s3_endpoint')?.value, 'https://(hidden)@s3.example.com')
    assert.match(of.get('sign_in_providers')?.value ?? '', /"client_secret":"\(hidden\)"/)
    for (const planted of PLANTED) assert.doesNotMatch(answer.body, new RegExp(planted))
  })

  test('is for those who may read the state of the platform alone', async () => {
    assert.equal((await ask('member', '/v1/system/settings')).statusCode, 403)
    assert.equal((await ask(undefined, '/v1/system/settings')).statusCode, 401)
  })
})
