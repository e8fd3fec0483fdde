import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { signPush } from '../../../adapters/forges/github/testing.ts'
import { aConnectedSource, deliver, PIPELINE, SCOPE, SECRET } from '../sources/testing.ts'
import { openRecovery } from './testing/open-recovery.ts'

/** What came back says so, and nothing else does. */

const house = await openRecovery()
const { causes, clock, github, look, sent, source } = house
const DELIVERIES = `/v1/git-webhook-sources/${source.id}/deliveries`
after(() => house.close())
afterEach(() => house.forget())

type Record_ = Readonly<Record<string, unknown>>
const marksOf = ({ recovered, missed_at: missedAt }: Record_) => [recovered, missedAt]

/** The records of a delivery by its provider's id, newest first. */
async function recordsOf(guid: string, path = DELIVERIES): Promise<readonly Record_[]> {
  return (await house.list(`${path}?limit=100`)).filter(({ delivery_id: id }) => id === guid)
}

/** The events of the records, in their order, as the list has them. */
async function eventsOf(records: readonly Record_[]): Promise<readonly Record_[]> {
  const events = await house.list('/v1/events?limit=100')
  return records.flatMap(({ id }) => events.filter(({ delivery_id: record }) => record === id))
}

/** It was lost, and a look had it sent again; answers when it was missed. */
async function recover(given: Parameters<typeof sent>[0] = {}): Promise<{ guid: string; missedAt: string | null }> {
  const { guid, delivered_at: missedAt } = sent(given)
  await clock.advance(60_000)
  await look()
  return { guid, missedAt }
}

describe('a delivery that came back', () => {
  test('says so with the time when it was missed, in lists, by itself, and on its events', async () => {
    const { guid, missedAt } = await recover()
    const expected = [[true, missedAt]]
    const records = await recordsOf(guid)
    assert.deepEqual(records.map(marksOf), expected)
    assert.deepEqual((await recordsOf(guid, '/v1/deliveries')).map(marksOf), expected)
    assert.deepEqual(marksOf(await house.get(`${DELIVERIES}/${records[0]?.['id']}`)), expected[0])
    const events = await eventsOf(records)
    assert.deepEqual(events.map(marksOf), expected)
    assert.deepEqual(marksOf(await house.get(`/v1/events/${events[0]?.['id']}`)), expected[0])
  })

  test('says the same once a look has found it', async () => {
    const { guid, missedAt } = await recover()
    await look()
    assert.deepEqual((await recordsOf(guid)).map(marksOf), [[true, missedAt]])
  })

  test('is one record: a second copy of it, and a replay, are not what came back', async () => {
    const { guid, missedAt } = await recover()
    const [logged] = github.log
    assert.ok(logged)
    const copies = async (expected: unknown) => {
      const records = await recordsOf(guid)
      assert.deepEqual(records.map(marksOf), expected)
      return records
    }
    await deliver(causes, source.url, logged.delivery)
    await copies([
      [false, null],
      [true, missedAt],
    ])
    const [, first] = await recordsOf(guid)
    const replayed = await causes.call('POST', `${DELIVERIES}/${first?.['id']}/replay`)
    assert.equal(replayed.status, 202, replayed.text)
    const marks = [
      [false, null],
      [false, null],
      [true, missedAt],
    ]
    const records = await copies(marks)
    assert.deepEqual((await eventsOf(records)).map(marksOf), marks.slice(1))
    await look()
    await copies(marks)
  })
})

test('of a delivery that started nothing the first copy alone came back', async () => {
  const { guid, missedAt } = await recover({ repository: 'acme/quiet' })
  await look()
  const [logged] = github.log
  assert.ok(logged)
  await deliver(causes, source.url, logged.delivery)
  assert.deepEqual(
    (await recordsOf(guid)).map(({ result, ...record }) => [result, ...marksOf(record)]),
    [
      ['ignored', false, null],
      ['ignored', true, missedAt],
    ],
  )
})

test('a delivery that came back says so also where another one had told of the same change', async () => {
  const change = { secret: SECRET, after: 'd'.repeat(40) }
  const guid = randomUUID()
  const { delivered_at: missedAt } = sent({ guid, delivery: signPush({ ...change, deliveryId: guid }) })
  await deliver(causes, source.url, signPush({ ...change, deliveryId: randomUUID() }))
  await look()
  const [record] = await recordsOf(guid)
  assert.ok(record)
  assert.deepEqual([record['result'], ...marksOf(record)], ['duplicate', true, missedAt])
})

describe('nothing is marked that was not missed', () => {
  test('a delivery that came at once, and an event that was posted', async () => {
    const { guid, delivery } = sent({ status_code: 202 })
    await deliver(causes, source.url, delivery)
    await look()
    const records = await recordsOf(guid)
    assert.deepEqual([...records, ...(await eventsOf(records))].map(marksOf), [
      [false, null],
      [false, null],
    ])
    const event = { kind: 'push', action: 'pushed', provider: 'github', ref: 'refs/heads/main', after: 'c'.repeat(40) }
    const repository = { full_name: 'acme/widgets', owner: 'acme', name: 'widgets' }
    const posted = await causes.call('POST', '/v1/git/events', {
      ...event,
      repository,
      pipeline: PIPELINE,
      scope: SCOPE,
    })
    assert.equal(posted.status, 200, posted.text)
    assert.deepEqual(marksOf(await house.get(`/v1/events/${posted.body['event_id']}`)), [false, null])
  })

  test('the same id at another source: each provider counts for itself', async () => {
    const other = await aConnectedSource(causes, { name: 'other' }, { name: 'other' })
    const { guid } = await recover()
    const [logged] = github.log
    assert.ok(logged)
    await deliver(causes, other.url, logged.delivery)
    const path = `/v1/git-webhook-sources/${other.id}/deliveries`
    assert.deepEqual((await recordsOf(guid, path)).map(marksOf), [[false, null]])
  })

  test('what was refused when it came again: it is asked for once more', async () => {
    const document = await house.get(`/v1/git-webhook-sources/${source.id}`)
    const slow = { ...document, rate_limit: { per_minute: 1 } }
    const changed = await causes.call('PUT', `/v1/git-webhook-sources/${source.id}`, slow)
    assert.equal(changed.status, 200, changed.text)
    const first = sent()
    const second = sent()
    await look()
    const codes = async (guid: string) =>
      (await recordsOf(guid)).map(({ status_code: code, recovered }) => [code, recovered])
    const answers = [...(await codes(first.guid)), ...(await codes(second.guid))]
    assert.deepEqual(answers.toSorted(), [
      [202, true],
      [429, false],
    ])
    await clock.advance(3_600_000)
    await look()
    await look()
    const marks = [...(await codes(first.guid)), ...(await codes(second.guid))]
    assert.deepEqual(marks.filter(([, recovered]) => recovered).length, 2)
  })
})
