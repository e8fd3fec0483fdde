import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aSource, deliver, SECRET, TEAM } from '../sources/testing.ts'
import { openRecovery } from './testing/open-recovery.ts'

const house = await openRecovery()
const { causes, clock, github, look, sent, source } = house
const RECOVERIES = `/v1/git-webhook-sources/${source.id}/recoveries`
after(() => house.close())
afterEach(() => house.forget())

const listed = () => house.list(`${RECOVERIES}?limit=100`)
const states = async () => (await listed()).map(({ state }) => state)
const standing = () => house.get(RECOVERIES.replace('recoveries', 'recovery'))

async function countRecords(guid: string): Promise<number> {
  const rows = await causes.kit.database.kysely
    .selectFrom('deliveries')
    .select('id')
    .where('delivery_id', '=', guid)
    .execute()
  return rows.length
}

describe('after an outage', () => {
  test('everything that was missed is there once, and says so', async () => {
    const missed = Array.from({ length: 30 }, () => sent())
    const seen = sent({ status_code: 202 })
    await deliver(causes, source.url, seen.delivery)
    await look()
    assert.equal(github.asked.length, 30)
    await look()
    assert.deepEqual(await states(), Array(30).fill('recovered'))
    for (const { guid } of missed) assert.equal(await countRecords(guid), 1)
    const [first] = await listed()
    assert.ok(first?.['delivery_id'] && first['recovered_at'] && first['repository'] === null)
    assert.partialDeepStrictEqual(await standing(), { gap: null, missing: 0, recovered_7_days: 30, reason: null })
    await look()
    assert.equal(github.asked.length, 30)
  })

  test('the health of the source has the gap, and none once everything came', async () => {
    const { delivery, delivered_at: from } = sent()
    github.brings = false
    await look()
    const health = async () =>
      (await causes.call('GET', `/v1/git-webhook-sources/${source.id}/health`)).body['recovery']
    assert.partialDeepStrictEqual(await health(), { missing: 1, gap: { from }, reason: null })
    await deliver(causes, source.url, delivery)
    await look()
    house.found.length = 0
    assert.partialDeepStrictEqual(await health(), { missing: 0, gap: null, recovered_7_days: 1 })
    assert.deepEqual(house.found, [], 'the source was read for its health, and is not read again')
  })

  test('what arrives meanwhile by itself is asked for no more', async () => {
    const { delivery } = sent()
    github.brings = false
    await look()
    await deliver(causes, source.url, delivery)
    await clock.advance(3_600_000)
    await look()
    assert.deepEqual([github.asked.length, await states()], [1, ['recovered']])
  })

  test('a delivery that was answered with a refusal is not missed: again it would be refused', async () => {
    const { guid } = sent({ status_code: 403 })
    const foreign = signPush({ secret: SECRET, repository: { full_name: 'other/place' }, deliveryId: guid })
    const { status } = await deliver(causes, source.url, foreign)
    assert.ok(status >= 400 && status < 500, `answered ${status}`)
    await look()
    assert.deepEqual([github.asked.length, await states()], [0, []])
  })

  test('more than a page is walked, and the next look begins where this one ended', async () => {
    for (let at = 0; at < 120; at++) sent()
    await look()
    assert.deepEqual([github.read.length, (await listed()).length, github.asked.length], [2, 100, 50])
  })
})

describe('faults', () => {
  for (const point of ['recovery.before_request', 'recovery.after_request'] as const) {
    test(`death at ${point} loses and doubles nothing`, async () => {
      const { guid } = sent()
      house.dieAt(point)
      await look()
      await look()
      assert.ok(github.asked.length <= 1)
      await clock.advance(700_000)
      await look()
      await look()
      assert.deepEqual([github.asked.length, await states(), await countRecords(guid)], [1, ['recovered'], 1])
    })
  }

  test('two processes ask once', async () => {
    for (let at = 0; at < 10; at++) sent()
    github.brings = false
    await Promise.all([look(), look()])
    assert.equal(new Set(github.asked).size, 10)
    assert.equal(github.asked.length, 10)
  })

  test('what never comes is given up with a reason', async () => {
    sent()
    github.brings = false
    for (let at = 0; at < 6; at++) {
      await look()
      await clock.advance(6 * 3_600_000)
    }
    assert.equal(github.asked.length, 5)
    assert.match(String((await listed())[0]?.['given_up_reason']), /asked 5 times/)
  })

  test('a limited rate is respected, and said', async () => {
    sent()
    github.answer = { status: 429, headers: { 'retry-after': '1800' } }
    await look()
    assert.match(String((await standing())['reason']), /./)
    assert.notEqual((await standing())['gap'], null)
    github.answer = undefined
    await clock.advance(600_000)
    await look()
    assert.equal(github.read.length, 0)
    await clock.advance(1_300_000)
    await look()
    assert.equal(github.asked.length, 1)
  })

  test('a hostile log without an end, with dates of the future, is walked in bounds', async () => {
    sent({ delivered_at: '2999-01-01T00:00:00Z' })
    sent({ delivered_at: null })
    github.endless = true
    await look()
    assert.deepEqual([github.read.length, github.asked.length], [30, 2])
  })
})

describe('who may', () => {
  test('look at once: whoever may run deliveries again, and it is in the audit', async () => {
    assert.equal((await causes.call('POST', RECOVERIES)).status, 202)
    const viewer = await aMember(causes.kit.database.kysely, 'eve', 'viewer', TEAM)
    assert.equal((await causes.call('POST', RECOVERIES, undefined, { headers: viewer.headers })).status, 403)
    const rows = await causes.kit.database.kysely
      .selectFrom('audit_records')
      .select('resource_id')
      .where('action', '=', 'recovery.requested')
      .execute()
    assert.deepEqual(rows, [{ resource_id: source.id }])
  })

  test('an editor of another team finds no such source', async () => {
    await aTeam(causes.kit.database.kysely, 'elsewhere')
    const other = await aMember(causes.kit.database.kysely, 'mallory', 'editor', 'elsewhere')
    const as = { headers: other.headers }
    for (const path of [RECOVERIES, RECOVERIES.replace('recoveries', 'recovery')]) {
      assert.equal((await causes.call('GET', path, undefined, as)).status, 404)
    }
    assert.equal((await causes.call('POST', RECOVERIES, undefined, as)).status, 404)
  })

  test('a source without a log says why', async () => {
    const created = await causes.call('POST', '/v1/git-webhook-sources', aSource({ name: 'handmade' }))
    const { body } = await causes.call('GET', `/v1/git-webhook-sources/${created.body['id']}/recovery`)
    assert.match(String(body['reason']), /no log to read/)
  })
})
