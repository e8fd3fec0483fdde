import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, testCaller } from '#platform/testing'
import { aPushPayload, signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { listDeliveries } from './actions/read-deliveries.ts'
import { aConnectedSource, deliver, NEVER_LOOKED, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/git-webhook-sources'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers

const { id, url } = await aConnectedSource(causes, { repository_allowlist: ['acme/*', 'Other/*'] })
const list = `${PATH}/${id}/deliveries`

function push(deliveryId: string, fullName = 'acme/widgets') {
  return signPush({ secret: SECRET, deliveryId, repository: { full_name: fullName } })
}

async function idsOf(query: string): Promise<unknown[]> {
  const called = await causes.call('GET', `${list}${query}`)
  assert.equal(called.status, 200, called.text)
  return Object.values(called.body).map((delivery) => Object(delivery)['delivery_id'])
}

await deliver(causes, url, push('one'))
await deliver(causes, url, push('two', 'Other/Things'))
await deliver(causes, url, push('two', 'Other/Things'))
await deliver(causes, url, push('outside', 'foreign/things'))
const star = signDelivery(
  { action: 'created', repository: aPushPayload()['repository'] },
  { secret: SECRET, event: 'star', deliveryId: 'star' },
)
await deliver(causes, url, star)
await deliver(causes, url, signPush({ secret: 'wrong', deliveryId: 'forged' }))

describe('the list of deliveries', () => {
  test('newest first, paged by a Link header that keeps the filter', async () => {
    assert.deepEqual(await idsOf(''), ['forged', 'star', 'outside', 'two', 'two', 'one'])
    const page = await causes.call('GET', `${list}?limit=1&result=rejected`)
    assert.equal(page.body[0]?.['delivery_id'], 'forged')
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
    assert.match(String(next), /result=rejected/)
    const second = await causes.call('GET', String(next))
    assert.equal(second.body[0]?.['delivery_id'], 'outside')
    assert.equal(second.headers['link'], undefined)
  })

  test('narrowed by result, kind of event, repository in whatever case, and time', async () => {
    assert.deepEqual(await idsOf('?result=accepted'), ['one'])
    assert.deepEqual(await idsOf('?result=unprocessable'), ['star'])
    assert.deepEqual(await idsOf('?event_type=push&result=ignored'), ['two', 'two'])
    assert.deepEqual(await idsOf('?event_type=star'), ['star'])
    assert.deepEqual(await idsOf('?event_type=Star'), [])
    assert.deepEqual(await idsOf('?repository=OTHER%2Fthings'), ['two', 'two'])
    assert.deepEqual(await idsOf('?repository=other/thing'), [])
    assert.deepEqual(await idsOf('?repository=acme%2F*'), [], 'a pattern is a name like any other')
    const whole = await causes.call('GET', `${list}?limit=3`)
    const since = String(whole.body[2]?.['received_at'])
    const young = await idsOf(`?since=${since}`)
    assert.ok(young.includes('outside') && young.includes('forged'))
    assert.deepEqual(await idsOf('?since=2999-01-01T00:00:00Z'), [])
    assert.equal((await idsOf('?since=1950-01-01T00:00:00%2B02:00')).length, 6)
  })

  for (const query of [
    'limit=0',
    'limit=501',
    'cursor=yesterday',
    'result=good',
    'since=yesterday',
    'since=2026-13-01T00:00:00Z',
    'event_type=',
    'event_type=%00',
    'repository=%00',
    'colour=red',
  ]) {
    test(`?${query} is 400`, async () => {
      assert.equal((await causes.call('GET', `${list}?${query}`)).status, 400)
    })
  }

  for (const filter of ["result = 'accepted'", "event_type = 'push'", "lower(repository) = 'acme/widgets'"]) {
    test(`where ${filter} is found by an index, in the order of the list`, async () => {
      const { rows } = await testDatabase.database.transaction(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx)
        const query = `explain select id from deliveries where source_id = '${id}' and ${filter} order by id desc limit 10`
        return sql.raw<{ 'QUERY PLAN': string }>(query).execute(tx)
      })
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      assert.ok(plan.includes(`::uuid) AND (${filter.split(' =')[0]} =`), plan)
      assert.doesNotMatch(plan, /-> +Sort|Filter/)
    })
  }
})

test('deliveries are for who may read them, whatever else of the source is seen', async () => {
  const lists = { ...causes.kit, above: NEVER_LOOKED }
  const sees = testCaller({ [TEAM]: ['webhook_source.read'] })
  await assert.rejects(listDeliveries(lists, sees, id, {}), { code: 'forbidden' })
  const reads = testCaller({ [TEAM]: ['webhook_source.read', 'delivery.read'] })
  assert.ok((await listDeliveries(lists, reads, id, {})).items.length > 0)
})

test('kept deliveries are read again for who may see both the source and its deliveries', async () => {
  const count = async (...permissions: string[]) =>
    (await causes.readDeliveries(testCaller({ [TEAM]: permissions }), { limit: 10 })).length
  assert.ok((await count('webhook_source.read', 'delivery.read')) > 0)
  assert.equal(await count('delivery.read'), 0)
  assert.equal(await count('webhook_source.read'), 0)
})

describe('one delivery', () => {
  test('holds its trace, headers less credentials and the payload; unknown and foreign ones are 404', async () => {
    const newest = (await causes.call('GET', `${list}?result=accepted`)).body[0]
    const { status, body } = await causes.call('GET', `${list}/${newest?.['id']}`)
    assert.equal(status, 200)
    assert.equal(Object(body['payload'])['ref'], 'refs/heads/main')
    const [event, ...more] = Object(body['events'])
    assert.deepEqual(
      [event.kind, event.action, event.branch, event.repository.full_name, event.after, more],
      ['push', 'updated', 'main', 'acme/widgets', body['commit_sha'], []],
    )
    assert.equal(Object(body['headers'])['x-github-event'], 'push')
    assert.equal(Object(body['headers'])['x-hub-signature-256'], undefined)
    assert.equal(body['replay_of'], null)
    assert.equal(body['run_id'], Object(body['run_ids'])[0])
    assert.equal((await causes.call('GET', `${list}/${randomUUID()}`)).status, 404)
    const other = await aConnectedSource(causes, { name: 'another' }, { name: 'another' })
    assert.equal((await causes.call('GET', `${PATH}/${other.id}/deliveries/${newest?.['id']}`)).status, 404)
    assert.equal((await causes.call('GET', `${list}/${newest?.['id']}`, undefined, { headers: stranger })).status, 404)
    assert.equal((await causes.call('GET', `${list}/${newest?.['id']}`, undefined, { headers: viewer })).status, 200)
    assert.equal((await causes.call('GET', `${list}/seven`)).status, 400)
  })

  test('events are what was proved and understood: none of a kind that nothing can use, null of a forgery', async () => {
    const unusable = (await causes.call('GET', `${list}?result=unprocessable`)).body[0]
    assert.deepEqual((await causes.call('GET', `${list}/${unusable?.['id']}`)).body['events'], [])
    const forged = (await causes.call('GET', `${list}?result=rejected&limit=1`)).body[0]
    const { body } = await causes.call('GET', `${list}/${forged?.['id']}`)
    assert.deepEqual([body['verification'], body['events'], body['payload']], ['mismatch', null, null])
  })

  test('a payload comes as it was sent: long numbers whole, and as its text where it nests too deep', async () => {
    const long = '{"zen":"a","id":12345678901234567890}'
    const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    const shown: unknown[] = []
    for (const text of [long, deep]) {
      const delivery = signDelivery(Buffer.from(text), { secret: SECRET, event: 'star', deliveryId: randomUUID() })
      await deliver(causes, url, delivery)
      const newest = (await causes.call('GET', `${list}?limit=1`)).body[0]
      const { status, body } = await causes.call('GET', `${list}/${newest?.['id']}`)
      assert.equal(status, 200, JSON.stringify(body).slice(0, 200))
      shown.push(body['payload'])
    }
    assert.deepEqual(shown, [{ zen: 'a', id: '12345678901234567890' }, deep])
  })

  test('a trace that was stored before layers and manifests is read all the same', async () => {
    const newest = (await causes.call('GET', `${list}?result=accepted`)).body[0]
    const at = `${list}/${newest?.['id']}`
    const { body } = await causes.call('GET', at)
    const old = JSON.stringify(body['trace'], (key, value) => (['layer', 'manifest'].includes(key) ? undefined : value))
    await db.updateTable('deliveries').set({ trace: old }).where('id', '=', String(newest?.['id'])).execute()
    assert.deepEqual((await causes.call('GET', at)).body['trace'], body['trace'])
    await db.updateTable('deliveries').set({ trace: '[7]' }).where('id', '=', String(newest?.['id'])).execute()
    const unreadable = await causes.call('GET', at)
    assert.equal(unreadable.status, 200)
    assert.deepEqual(unreadable.body['trace'], { verification: '', events: [] })
  })
})
