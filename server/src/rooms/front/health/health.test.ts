import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Probe } from '#platform/room'
import { createTestDatabase, createTestHttp, createTestKit, testAuthenticator, testCaller } from '#platform/testing'
import { health } from './index.ts'

const { database } = await createTestDatabase()
let fault: string | undefined
const probe: Probe = {
  name: 'thing',
  async check() {
    if (fault !== undefined) throw new Error(fault)
  },
}

async function open(env: Readonly<Record<string, string>> = {}) {
  const kit = createTestKit(database, { env })
  kit.metrics.gauge('signalbox_thing', 'A thing', []).set(7)
  kit.metrics.onScrape(async () => {
    throw new Error('the database is away')
  })
  const parts = await health.open(kit, { probes: [probe] })
  const http = await createTestHttp(parts.routes ?? [], testAuthenticator({ anybody: testCaller({}) }))
  after(() => http.app.close())
  return (url: string, token?: string) =>
    http.app.inject({ url, ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}) })
}

const get = await open()

describe('liveness and readiness', () => {
  test('/livez answers without a token, whatever is broken', async () => {
    fault = 'The database cannot be reached.'
    const answer = await get('/livez')
    assert.deepEqual([answer.statusCode, answer.json()], [200, { status: 'ok' }])
  })

  test('/healthz is 200 while every probe is well, and 503 with the reason while one is not', async () => {
    fault = undefined
    const well = await get('/healthz')
    assert.deepEqual([well.statusCode, well.json().status], [200, 'ready'])
    fault = 'The database cannot be reached.'
    const unwell = await get('/healthz')
    assert.equal(unwell.statusCode, 503)
    assert.deepEqual(unwell.json(), { status: 'not_ready', checks: [{ name: 'thing', ok: false, message: fault }] })
  })
})

describe('/metrics', () => {
  test('is public by default, and shows what can be read where something cannot', async () => {
    const answer = await get('/metrics')
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^text\/plain/)
    assert.match(answer.body, /^signalbox_thing 7$/m)
  })

  test("needs a bearer token, anybody's, where metrics_require_auth is set", async () => {
    const guarded = await open({ METRICS_REQUIRE_AUTH: 'true' })
    const refused = await guarded('/metrics')
    assert.deepEqual([refused.statusCode, refused.json().code], [401, 'unauthenticated'])
    assert.equal((await guarded('/metrics', 'nobody')).statusCode, 401)
    const answer = await guarded('/metrics', 'anybody')
    assert.equal(answer.statusCode, 200)
    assert.match(answer.body, /^signalbox_thing 7$/m)
    assert.equal((await guarded('/livez')).statusCode, 200)
  })
})
