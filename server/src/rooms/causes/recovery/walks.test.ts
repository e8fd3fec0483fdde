import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { madeAt } from '#platform/ids'
import { until } from '#platform/testing'
import { aConnectedSource, deliver } from '../sources/testing.ts'
import { openRecovery } from './testing/open-recovery.ts'

const DAY_MS = 86_400_000
const house = await openRecovery()
const { causes, clock, github, look, sent, source } = house
const PATH = `/v1/git-webhook-sources/${source.id}`
after(() => house.close())
afterEach(() => house.forget())

const listed = () => house.list(`${PATH}/recoveries?limit=500`)
const standing = () => house.get(`${PATH}/recovery`)

test('what was sent before there was a source is not asked for: it was for somebody else', async () => {
  const made = madeAt(source.id).getTime()
  sent({ delivered_at: new Date(made - 60_000).toISOString() })
  const { guid } = sent({ delivered_at: new Date(made + 1).toISOString() })
  await clock.advance(60_000)
  await look()
  assert.deepEqual(
    (await listed()).map(({ provider_delivery_id: id }) => id),
    [guid],
  )
})

describe('a log that is longer than a look', () => {
  test('is walked on where the last look stopped, and what came to it meanwhile is read by the next walk', async () => {
    Object.assign(github, { pageSize: 2, brings: false })
    for (let at = 0; at < 70; at++) sent()
    await look()
    assert.deepEqual([github.read.length, (await listed()).length], [30, 60])
    // Until a walk has ended nothing is known of the time before it.
    const meanwhile = sent()
    await look()
    assert.deepEqual([github.read.length, (await listed()).length], [35, 70])
    await look()
    assert.ok((await listed()).some(({ provider_delivery_id: id }) => id === meanwhile.guid))
  })

  test('is begun anew where the provider broke off in between: nothing is passed over', async () => {
    Object.assign(github, { pageSize: 2, brings: false, breaksAt: 5 })
    for (let at = 0; at < 20; at++) sent()
    await look()
    assert.equal((await listed()).length, 8)
    assert.match(String((await standing())['reason']), /502/)
    github.breaksAt = Number.POSITIVE_INFINITY
    await look()
    assert.deepEqual([(await listed()).length, (await standing())['reason']], [20, null])
  })

  test('is begun anew where the provider does not know the place any more', async () => {
    Object.assign(github, { pageSize: 2, brings: false })
    for (let at = 0; at < 70; at++) sent()
    await clock.advance(3_600_000)
    await look()
    github.knowsCursors = false
    await look()
    assert.match(String((await standing())['reason']), /does not show the log/)
    github.knowsCursors = true
    const { guid } = sent()
    await look()
    assert.ok((await listed()).some(({ provider_delivery_id: id }) => id === guid))
    await look()
    assert.equal((await listed()).length, 71)
  })

  test('is read from its newest page to the last look only, once it was read whole', async () => {
    Object.assign(github, { pageSize: 2, brings: false })
    for (let at = 0; at < 8; at++) sent()
    await clock.advance(3_600_000)
    await look()
    assert.equal(github.read.length, 4)
    await clock.advance(3_600_000)
    await look()
    assert.equal(github.read.length, 5)
  })
})

async function enable(enabled: boolean): Promise<void> {
  const { status, text } = await causes.call('PUT', PATH, { ...(await house.get(PATH)), enabled })
  assert.equal(status, 200, text)
}

/** It comes while the source is disabled, which is recorded a moment later. */
async function refuse({ guid, delivery }: ReturnType<typeof sent>): Promise<void> {
  assert.equal((await deliver(causes, source.url, delivery)).status, 404)
  await until(
    'the refusal to be recorded',
    () => house.list(`${PATH}/deliveries`),
    (records) => records.some((each) => each['delivery_id'] === guid && each['status_code'] === 404),
  )
}

describe('what is not asked for', () => {
  test('is older than GitHub keeps', async () => {
    await clock.advance(10 * DAY_MS)
    sent({ delivered_at: new Date(clock.now().getTime() - 3.1 * DAY_MS).toISOString() })
    await look()
    assert.deepEqual([await listed(), github.asked], [[], []])
  })

  test('came while the source was disabled, when it is enabled again', async () => {
    await enable(false)
    await refuse(sent({ status_code: 404 }))
    await look()
    assert.deepEqual([github.read, (await standing())['reason']], [[], 'The source is disabled.'])
    await enable(true)
    await look()
    assert.deepEqual([github.read.length, github.asked], [1, []])
  })

  test('came while the source was disabled, after it had been asked for: it is given up, and did not come back', async () => {
    const missed = sent()
    github.brings = false
    await look()
    await enable(false)
    await refuse(missed)
    await enable(true)
    await clock.advance(3_600_000)
    await look()
    const [row] = await listed()
    assert.deepEqual(
      [row?.['state'], row?.['given_up_reason'], row?.['delivery_id'], github.asked.length],
      ['given_up', 'It came while the source was disabled.', null, 1],
    )
    assert.partialDeepStrictEqual(await standing(), { missing: 0, recovered_7_days: 0 })
    const records = await house.list(`${PATH}/deliveries`)
    assert.deepEqual(
      records.filter((each) => each['delivery_id'] === missed.guid).map(({ recovered }) => recovered),
      [false],
    )
  })

  test('is what the provider does not keep any more: it is given up at once, with the reason', async () => {
    sent()
    const [logged] = github.log
    assert.ok(logged)
    github.brings = false
    await look()
    github.log = []
    await clock.advance(700_000)
    await look()
    const [row] = await listed()
    assert.deepEqual(
      [row?.['state'], row?.['tries'], row?.['given_up_reason']],
      ['given_up', 2, 'The provider does not keep it any more.'],
    )
  })
})

describe('a suspended installation', () => {
  test('is said, with the gap; when the suspension ends, what was lost comes back', async () => {
    const { delivered_at: from } = sent()
    github.answer = { status: 403, message: 'This installation has been suspended' }
    await look()
    const shown = await standing()
    assert.match(String(shown['reason']), /installation is suspended/)
    assert.notEqual(shown['gap'], null)
    await clock.advance(3_600_000)
    github.answer = undefined
    await look()
    assert.partialDeepStrictEqual(await standing(), { reason: null, gap: { from }, missing: 1 })
    await look()
    assert.partialDeepStrictEqual(await standing(), { gap: null, recovered_7_days: 1 })
  })
})

describe('records of what was lost', () => {
  test('are kept as long as those of what came back, and not longer', async () => {
    const { guid } = sent()
    await look()
    await look()
    const days = causes.kit.config.deliveryRecordRetentionDays
    await clock.advance((days + 7) * DAY_MS)
    await house.run('recovery.drop-old')
    assert.deepEqual(
      (await listed()).map(({ provider_delivery_id: id }) => id),
      [guid],
    )
    await clock.advance(2 * DAY_MS)
    await house.run('recovery.drop-old')
    assert.deepEqual(await listed(), [])
  })

  test('go with their source', async () => {
    const gone = await aConnectedSource(causes, { name: 'gone' }, { name: 'gone' })
    const db = causes.kit.database.kysely
    const place = { source_id: gone.id, repository: '' }
    await db.insertInto('recovery_logs').values(place).execute()
    const missed = { event_type: 'push', missed_at: clock.now(), next_try_at: clock.now() }
    const row = { ...place, ...missed, id: causes.kit.ids.next(), provider_delivery_id: 'x', attempt_id: '1' }
    await db.insertInto('recoveries').values(row).execute()
    sent()
    github.brings = false
    await look()
    await causes.call('DELETE', `/v1/triggers/${gone.triggerId}`)
    assert.equal((await causes.call('DELETE', `/v1/git-webhook-sources/${gone.id}`)).status, 204)
    await house.react()
    const [logs, rows] = await Promise.all([
      db.selectFrom('recovery_logs').select('source_id').execute(),
      db.selectFrom('recoveries').select('source_id').execute(),
    ])
    assert.deepEqual([logs, rows], [[{ source_id: source.id }], [{ source_id: source.id }]])
  })
})
