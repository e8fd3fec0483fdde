import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#platform/testing'
import { signDelivery, signPush } from '../../../adapters/forges/github/testing.ts'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aConnectedSource, aTrigger, type Called, deliver, openCauses, SECRET, TEAM } from './testing.ts'

const PATH = '/v1/git-webhook-sources'
const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const operator = (await aMember(db, 'operator', 'operator', TEAM)).headers
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers

let made = 0
async function connected(source: Record<string, unknown> = {}, trigger: Record<string, unknown> = {}) {
  made += 1
  const one = await aConnectedSource(
    causes,
    { name: `source ${made}`, ...source },
    { name: `trigger-${made}`, ...trigger },
  )
  return { ...one, list: `${PATH}/${one.id}/deliveries` }
}

function push(overrides: Parameters<typeof signPush>[0] = { secret: SECRET }) {
  return signPush({ deliveryId: randomUUID(), after: randomBytes(20).toString('hex'), ...overrides })
}

async function newest(list: string, query = ''): Promise<Record<string, unknown>> {
  const called = await causes.call('GET', `${list}?limit=1${query}`)
  return called.body[0] ?? {}
}

async function countOf(list: string): Promise<number> {
  return Object.keys((await causes.call('GET', `${list}?limit=500`)).body).length
}

/** Triggers of the other sources are considered too, and do not match. */
function matchedOf(trace: unknown): unknown[] {
  return Object(trace)['events'].flatMap((event: { triggers: { outcome: string }[] }) =>
    event.triggers.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'not_matched'),
  )
}

describe('one delivery again', () => {
  test('starts what it starts today, as a delivery of its own that names the first, and so do its runs', async () => {
    const { url, list } = await connected()
    await deliver(causes, url, push())
    const first = await newest(list)
    const signals = causes.queuedSignals()
    const { status, body } = await causes.call('POST', `${list}/${first['id']}/replay`)
    assert.equal(status, 202, JSON.stringify(body))
    assert.deepEqual(
      [body['replay_of'], body['result'], body['reason']],
      [first['id'], 'accepted', '1 run was queued.'],
    )
    assert.ok(causes.queuedSignals() > signals)
    const [runId] = Object(body['run_ids'])
    const run = await db
      .selectFrom('runs')
      .select(['replay_of', 'commit_sha'])
      .where('id', '=', runId)
      .executeTakeFirst()
    assert.deepEqual(run, { replay_of: first['id'], commit_sha: first['commit_sha'] })

    const detail = (await causes.call('GET', `${list}/${body['delivery_id']}`)).body
    const whole = (await causes.call('GET', `${list}/${first['id']}`)).body
    assert.deepEqual([detail['payload'], detail['headers']], [whole['payload'], whole['headers']])
    assert.deepEqual(detail['trace'], body['trace'])
    assert.deepEqual([detail['replay_of'], whole['replay_of']], [first['id'], null])
    assert.deepEqual([detail['delivery_id'], detail['duplicate_of']], [first['delivery_id'], null])
    assert.match(Object(detail['trace'])['verification'], /run again by root/)
    assert.equal((await newest(list))['replay_of'], first['id'])
  })

  test('as often as is wished, and a replay of a replay too: nothing is a repetition', async () => {
    const { url, list } = await connected()
    await deliver(causes, url, push())
    const first = await newest(list)
    for (let at = 0; at < 3; at += 1) {
      assert.equal((await causes.call('POST', `${list}/${(await newest(list))['id']}/replay`)).status, 202)
    }
    assert.equal(await countOf(list), 4)
    const again = await deliver(causes, url, push({ secret: SECRET, deliveryId: String(first['delivery_id']) }))
    assert.equal(again.status, 202)
    assert.equal((await newest(list))['result'], 'duplicate', 'what the provider sends again still is one')
    assert.equal((await newest(list))['duplicate_of'], first['id'])
  })

  test("with dry_run only explains: today's triggers decide, nothing is stored and nothing starts", async () => {
    const { url, list, id, triggerId } = await connected({}, { branches: ['release'] })
    await deliver(causes, url, push())
    const first = await newest(list)
    assert.equal(first['result'], 'ignored')
    const added = await causes.call('POST', '/v1/triggers', aTrigger({ name: `added-${made}`, source_id: id }))
    assert.equal(added.status, 201, added.text)
    const runs = async () => (await db.selectFrom('runs').select('id').execute()).length
    const before = await runs()
    const dry = await causes.call('POST', `${list}/${first['id']}/replay?dry_run=true`)
    assert.equal(dry.status, 200)
    assert.deepEqual([dry.body['delivery_id'], dry.body['run_ids'], dry.body['result']], [null, [], 'accepted'])
    assert.equal(dry.body['reason'], '1 run would be queued.')
    const inBody = await causes.call('POST', `${list}/${first['id']}/replay`, { dry_run: true })
    assert.deepEqual([inBody.status, inBody.body['delivery_id']], [200, null], 'as where many are replayed')
    const both = await causes.call('POST', `${list}/${first['id']}/replay?dry_run=false`, { dry_run: true })
    assert.deepEqual([both.status, both.body['delivery_id']], [200, null], 'where they contradict, nothing starts')
    assert.deepEqual(matchedOf(dry.body['trace']), ['started'])
    assert.doesNotMatch(JSON.stringify(dry.body['trace']), /"run_id":"/, 'no run that there will never be')
    assert.deepEqual([await countOf(list), await runs()], [1, before])
    await causes.call('DELETE', `/v1/triggers/${triggerId}`)
    await causes.call('DELETE', `/v1/triggers/${added.body['id']}`)
    const nothing = await causes.call('POST', `${list}/${first['id']}/replay`)
    assert.deepEqual([nothing.status, nothing.body['result'], nothing.body['run_ids']], [200, 'ignored', []])
  })

  test("meets today's allowlist, and works on a source that is disabled", async () => {
    const { url, list, id } = await connected()
    await deliver(causes, url, push())
    const first = await newest(list)
    await causes.call('PATCH', `${PATH}/${id}`, { enabled: false, repository_allowlist: ['acme/other'] })
    const refused = await causes.call('POST', `${list}/${first['id']}/replay`)
    assert.equal(refused.status, 200)
    assert.deepEqual([refused.body['result'], Object(refused.body['trace'])['events']], ['rejected', []])
    assert.match(String(refused.body['reason']), /allowlist/)
    await causes.call('PATCH', `${PATH}/${id}`, { repository_allowlist: ['acme/*'] })
    assert.equal((await causes.call('POST', `${list}/${first['id']}/replay`)).status, 202)
  })

  test('what was refused for its kind is looked at anew', async () => {
    const { url, list, id } = await connected()
    const star = signDelivery({ action: 'created' }, { secret: SECRET, event: 'star', deliveryId: randomUUID() })
    assert.equal((await deliver(causes, url, star)).status, 422)
    const first = await newest(list)
    const again = await causes.call('POST', `${list}/${first['id']}/replay`)
    assert.deepEqual([again.status, again.body['result']], [200, 'unprocessable'])
    await causes.call('PATCH', `${PATH}/${id}`, { acknowledge_unmapped: true })
    assert.equal((await causes.call('POST', `${list}/${first['id']}/replay`)).body['result'], 'ignored')
    assert.equal((await deliver(causes, url, signDelivery('{', { secret: SECRET }))).status, 400)
    assert.equal((await causes.call('POST', `${list}/${(await newest(list))['id']}/replay`)).body['result'], 'rejected')
  })

  test('of one that came above the rate stands for it: what the provider sends again is a duplicate of it', async () => {
    const { url, list, id: sourceId } = await connected({ rate_limit: { per_minute: 1 } })
    await deliver(causes, url, push())
    const refused = push()
    assert.equal((await deliver(causes, url, refused)).status, 429)
    const record = await newest(list)
    const replayed = await causes.call('POST', `${list}/${record['id']}/replay`)
    assert.deepEqual([replayed.status, replayed.body['result']], [202, 'accepted'], replayed.text)
    const { id } = record
    const again = await causes.call('POST', `${list}/${id}/replay`)
    assert.equal(again.body['result'], 'accepted', 'a person may run it as often as wished')
    await causes.call('PATCH', `${PATH}/${sourceId}`, { rate_limit: { per_minute: 100 } })
    assert.equal((await deliver(causes, url, refused)).status, 202, 'as the replay was answered')
    const last = await newest(list)
    assert.deepEqual([last['result'], last['duplicate_of']], ['duplicate', replayed.body['delivery_id']])
  })

  test('409 with a sentence: whose sender was never proved, and whose payload is gone', async () => {
    const { url, list, id } = await connected()
    await deliver(causes, url, push({ secret: 'wrong' }))
    const forged = await causes.call('POST', `${list}/${(await newest(list))['id']}/replay`)
    assert.deepEqual([forged.status, forged.body['code']], [409, 'delivery.not_replayable'])
    assert.match(String(forged.body['detail']), /not proved/)
    await deliver(causes, url, push())
    await db.deleteFrom('delivery_payloads').where('source_id', '=', id).execute()
    const gone = await causes.call('POST', `${list}/${(await newest(list))['id']}/replay?dry_run=true`)
    assert.equal(gone.status, 409)
    assert.match(String(gone.body['detail']), /payload/)
  })

  test('404 for what is not there or not seen, 403 for who may only look, 400 for what is no id, 503 without grants', async () => {
    const { url, list } = await connected()
    await deliver(causes, url, push())
    const { id } = await newest(list)
    const as = (headers: Record<string, string>, at = id) =>
      causes.call('POST', `${list}/${at}/replay`, undefined, { headers })
    assert.equal((await as(stranger)).status, 404)
    assert.equal((await as({}, randomUUID())).status, 404)
    assert.equal((await as({}, 'seven')).status, 400)
    assert.equal((await causes.call('POST', `${list}/${id}/replay?dry_run=perhaps`)).status, 400)
    assert.equal((await causes.call('POST', `${list}/${id}/replay?colour=red`)).status, 400)
    assert.equal((await causes.call('POST', `${list}/${id}/replay`, { dryRun: true })).status, 400)
    assert.equal((await as({ authorization: '' })).status, 401)
    const seen = await as(viewer)
    assert.deepEqual([seen.status, String(seen.body['detail'])], [403, `You need delivery.replay on ${TEAM}.`])
    assert.equal((await as(operator)).status, 202)
    causes.loseGrants(true)
    const lost = await as({})
    causes.loseGrants(false)
    assert.deepEqual([lost.status, lost.body['code']], [503, 'authorization_unavailable'])
  })

  test('leaves an audit record, and an Idempotency-Key does it once', async () => {
    const { url, list, id: sourceId } = await connected()
    await deliver(causes, url, push())
    const { id } = await newest(list)
    const headers = { 'idempotency-key': randomUUID() }
    const once = await causes.call('POST', `${list}/${id}/replay`, undefined, { headers })
    const twice = await causes.call('POST', `${list}/${id}/replay`, undefined, { headers })
    assert.deepEqual([twice.status, twice.body], [once.status, once.body])
    assert.equal(await countOf(list), 2)
    const { body } = await causes.call('GET', `/v1/audit?resource=delivery:${id}`)
    assert.equal(Object.keys(body).length, 1)
    assert.equal(body[0]?.['action'], 'delivery.replayed')
    assert.deepEqual(body[0]?.['after'], {
      source_id: sourceId,
      delivery_id: once.body['delivery_id'],
      result: 'accepted',
      run_ids: once.body['run_ids'],
    })
  })
})

describe('many deliveries again', () => {
  const replaysOf = ({ body }: Called): Record<string, unknown>[] => Object(body)['replays']

  async function filled() {
    const one = await connected({ repository_allowlist: ['acme/*'] })
    for (const name of ['acme/widgets', 'acme/gears', 'acme/widgets']) {
      await deliver(causes, one.url, push({ secret: SECRET, repository: { full_name: name } }))
    }
    await deliver(causes, one.url, push({ secret: 'wrong' }))
    return one
  }

  test('the newest that fit, oldest first; neither forgeries nor earlier replays', async () => {
    const { list } = await filled()
    const all = await causes.call('POST', `${list}/replay`, {})
    assert.equal(all.status, 202, all.text)
    const records = Object.values((await causes.call('GET', `${list}?limit=500`)).body)
    const originals = records
      .map((record) => Object(record))
      .filter((record) => record.replay_of === null && record.verification === 'verified')
    assert.deepEqual(
      replaysOf(all).map((replay) => replay['replay_of']),
      originals.map((record) => record.id).toReversed(),
    )
    assert.deepEqual(
      replaysOf(all).map((replay) => [replay['result'], replay['trace']]),
      [
        ['accepted', null],
        ['ignored', null],
        ['accepted', null],
      ],
    )
    assert.deepEqual(all.body['skipped'], [])
    const newestOne = await causes.call('POST', `${list}/replay`, { limit: 1 })
    assert.deepEqual(
      replaysOf(newestOne).map((replay) => replay['replay_of']),
      [originals[0]?.id],
    )
  })

  test('narrowed by result, kind, repository and time; with dry_run explained', async () => {
    const { list } = await filled()
    const chosen = async (body: Record<string, unknown>) =>
      replaysOf(await causes.call('POST', `${list}/replay`, { dry_run: true, ...body })).length
    assert.equal(await chosen({}), 3)
    assert.equal(await chosen({ result: 'ignored' }), 1)
    assert.equal(await chosen({ event_type: 'push' }), 3)
    assert.equal(await chosen({ event_type: 'release' }), 0)
    assert.equal(await chosen({ repository: 'ACME/gears' }), 1)
    assert.equal(await chosen({ since: '2999-01-01T00:00:00Z' }), 0)
    assert.equal(await chosen({ until: '2999-01-01T00:00:00Z' }), 3)
    assert.equal(await chosen({ until: '2020-01-01T00:00:00Z' }), 0)
    assert.equal(await countOf(list), 4)
    const dry = await causes.call('POST', `${list}/replay`, { dry_run: true, limit: 1 })
    assert.equal(dry.status, 200)
    assert.deepEqual(matchedOf(replaysOf(dry)[0]?.['trace']), ['started'])
  })

  test('those named; what cannot be run again is skipped with a sentence', async () => {
    const { list } = await filled()
    const records = Object.values((await causes.call('GET', list)).body).map((record) => Object(record))
    const unknown = randomUUID()
    const named = [records[0].id, records[1].id, records[3].id, unknown]
    const { status, body } = await causes.call('POST', `${list}/replay`, { delivery_ids: named })
    assert.equal(status, 202)
    assert.deepEqual(
      Object(body)['replays'].map((replay: { replay_of: string }) => replay.replay_of),
      [records[3].id, records[1].id],
    )
    const skipped = new Map(
      Object(body)['skipped'].map((one: { delivery_id: string; reason: string }) => [one.delivery_id, one.reason]),
    )
    assert.match(String(skipped.get(unknown)), /no such delivery/)
    assert.match(String(skipped.get(records[0].id)), /not proved/)
    assert.equal(skipped.size, 2)
  })

  test('400 names what is wrong, 403 and 404 as for one', async () => {
    const { list } = await filled()
    for (const [body, field] of [
      [{ limit: 501 }, 'limit'],
      [{ limit: 0 }, 'limit'],
      [{ result: 'good' }, 'result'],
      [{ since: 'yesterday' }, 'since'],
      [{ delivery_ids: [] }, 'delivery_ids'],
      [{ delivery_ids: ['seven'] }, 'delivery_ids.0'],
      [{ delivery_ids: [randomUUID()], limit: 3 }, 'limit'],
      [{ delivery_ids: [randomUUID()], result: 'ignored' }, 'result'],
      [{ colour: 'red' }, 'colour'],
    ] as const) {
      const called = await causes.call('POST', `${list}/replay`, body)
      assert.equal(called.status, 400, JSON.stringify(body))
      assert.deepEqual(
        Object(called.body)['errors'].map((error: { field: string }) => error.field),
        [field],
      )
    }
    assert.equal((await causes.call('POST', `${list}/replay`, {}, { headers: viewer })).status, 403)
    assert.equal((await causes.call('POST', `${list}/replay`, {}, { headers: stranger })).status, 404)
    assert.equal((await causes.call('POST', `${PATH}/${randomUUID()}/deliveries/replay`, {})).status, 404)
  })
})
