import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestClock, createTestDatabase } from '#platform/testing'
import type { CheckoutFinder } from '#rooms/execution/runs'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { endByCancel, NOTHING_ABOVE } from '../../execution/runs/testing.ts'
import { aMember, aMemberOf } from '../../foundation/access/testing.ts'
import { anEnvironment, aTeam } from '../../foundation/teams/testing.ts'
import type { CallOptions } from '../sources/testing.ts'
import { aSchedule, openSchedules } from './testing.ts'

// What became of instants, over HTTP: the list of fires, and why. The clock begins at 01:29 UTC of 23 November; schedules
// fire at 02:30 of Berlin, which is 01:30 UTC.

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const findCheckout: CheckoutFinder = async () => ({ field: 'ref', problem: 'The repository does not answer.' })
const testDatabase = await createTestDatabase()
const clock = createTestClock(new Date('2026-11-23T01:29:00.000Z'))
const house = await openSchedules(testDatabase, { clock, above: { ...NOTHING_ABOVE, findCheckout } })
after(() => house.close())
const db = testDatabase.database.kysely

await aTeam(db, 'other')
const stranger = await aMember(db, 'stranger', 'owner', 'other')
const viewer = await aMember(db, 'viewer', 'viewer', 'acme/web')
await anEnvironment(db, 'ops/prod')
await aPipeline(db, 'ops/deploy')

let made = 0
async function create(overrides: Record<string, unknown> = {}): Promise<string> {
  made += 1
  const document = aSchedule({ name: `f${made}`, ...overrides })
  const { status, body, text } = await house.call('POST', '/v1/schedules', document)
  assert.equal(status, 201, text)
  return String(body['id'])
}

/** Stores what became of an instant. */
async function store(id: string, planned: string, fire: Record<string, unknown> = {}): Promise<void> {
  const values = { kind: 'scheduled', planned_at: planned, nominal_at: planned, fired_at: planned, outcome: 'missed' }
  const reason = (fire['outcome'] ?? 'missed') === 'started' ? null : 'The scheduler did not run.'
  const row = { id: house.kit.ids.next(), schedule_id: id, pipeline: 'acme/web/build', ...values, reason, ...fire }
  const rows = JSON.stringify([{ missed_count: 1, ...row }])
  await sql`insert into schedule_fires select * from json_populate_recordset(null::schedule_fires, ${rows}::json)`.execute(
    db,
  )
}

async function list(id: string, query = '', options?: CallOptions): Promise<readonly Record<string, unknown>[]> {
  const { status, text } = await house.call('GET', `/v1/schedules/${id}/fires${query}`, undefined, options)
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

interface Told {
  readonly text: string
  readonly evidence: readonly { readonly kind: string; readonly id: string }[]
}

async function why(id: string, at?: string, options?: CallOptions): Promise<readonly Told[]> {
  const query = new URLSearchParams({ schedule: id, ...(at === undefined ? {} : { at }) })
  const { status, text } = await house.call('GET', `/v1/explain/schedule?${query}`, undefined, options)
  assert.equal(status, 200, text)
  return JSON.parse(text).sentences
}

/** The sentences, one a line. */
const say = async (...asked: Parameters<typeof why>): Promise<string> =>
  (await why(...asked)).map(({ text }) => text).join('\n')

describe('GET /v1/schedules/{id}/fires', () => {
  test('answers what became of each instant, newest first, by filters and pages', async () => {
    const id = await create({ enabled: false })
    await store(id, '2026-11-18T00:00:00Z', { missed_count: 90, missed_until: '2026-11-19T12:00:00Z' })
    await store(id, '2026-11-20T01:30:00Z')
    await store(id, '2026-11-21T01:30:00Z', { outcome: 'skipped_overlap' })
    await store(id, '2026-11-22T01:30:00Z', { outcome: 'denied' })
    const days = async (query: string) =>
      (await list(id, query)).map((fire) => String(fire['planned_at']).slice(8, 10)).join(' ')
    assert.equal(await days(''), '22 21 20 18')
    assert.equal(await days('?outcome=skipped_overlap'), '21')
    assert.equal(await days('?since=2026-11-21T01:30:00Z'), '22 21')
    assert.equal(await days('?until=2026-11-21T01:30:00Z'), '20 18')
    assert.equal(await days('?since=2026-11-19T00:00:00Z&until=2026-11-20T00:00:00Z'), '18')
    const { headers, body } = await house.call('GET', `/v1/schedules/${id}/fires?limit=3&since=2026-11-18T00:00:00Z`)
    assert.equal(body['length'], 3)
    const next = await house.call('GET', /<([^>]+)>/.exec(String(headers['link']))?.[1] ?? '')
    assert.partialDeepStrictEqual(next.body, [{ missed_count: 90, missed_until: '2026-11-19T12:00:00.000Z' }])
  })

  for (const query of [
    'outcome=lost',
    'since=yesterday',
    'until=2026-02-30T00:00:00Z',
    'limit=501',
    'cursor=a',
    'x=1',
  ]) {
    test(`refuses ?${query}`, async () => {
      const id = await create({ enabled: false })
      const { status, text } = await house.call('GET', `/v1/schedules/${id}/fires?${query}`)
      assert.equal(status, 400)
      assert.match(text, new RegExp(`"field":"${query.split('=')[0]}"`))
    })
  }

  test('is for those who see the schedule', async () => {
    const id = await create({ enabled: false })
    assert.deepEqual(await list(id, '', viewer), [])
    const hidden = await house.call('GET', `/v1/schedules/${id}/fires`, undefined, stranger)
    const absent = await house.call('GET', `/v1/schedules/${house.kit.ids.next()}/fires`, undefined, stranger)
    assert.deepEqual([hidden.status, absent.status], [404, 404])
    assert.equal(hidden.body['code'], absent.body['code'])
  })

  test('names no run of a team whose runs the caller may not see', async () => {
    await anEnvironment(db, 'acme/api/test')
    await aPipeline(db, 'acme/api/build')
    const id = await create({ pipeline: 'acme/api/build', scope: 'acme/api/test', enabled: false })
    const { body, text } = await house.call('POST', `/v1/schedules/${id}/run`)
    const runId = String(body['run_id'])
    assert.partialDeepStrictEqual(await list(id), [{ outcome: 'started', kind: 'requested', run_id: runId }], text)
    assert.partialDeepStrictEqual(await list(id, '', viewer), [{ outcome: 'started', run_id: null }])
    const at = clock.now().toISOString()
    assert.match(await say(id, at), new RegExp(`Run ${runId} waits in the queue`))
    assert.doesNotMatch(JSON.stringify(await why(id, at, viewer)), new RegExp(runId))
  })
})

describe('GET /v1/explain/schedule', () => {
  test('tells of a fire, of its run, and of what became of that, in one minute of the zone', async () => {
    const id = await create()
    assert.match(await say(id, '2026-11-23T02:30'), /^It is planned for 2026-11-23T02:30:00\+01:00, which is still/)
    await clock.advance(MINUTE_MS)
    await house.scheduler.fire()
    const [fire] = await list(id)
    const [first, second, ...more] = await why(id, '2026-11-23T02:30')
    assert.equal(first?.text, 'It fired for 2026-11-23T01:30:00Z, and started a run.')
    assert.deepEqual(first?.evidence, [
      { kind: 'fire', id: fire?.['id'] },
      { kind: 'run', id: fire?.['run_id'] },
    ])
    assert.equal(second?.text, `Run ${fire?.['run_id']} waits in the queue for a runner.`)
    assert.deepEqual(more, [])
    await endByCancel(house.kit, String(fire?.['run_id']), 'The test ends it.')
    assert.match(await say(id, '2026-11-23T01:30:00Z'), /Run \S+ ended at \S+: canceled\./)
    const { body } = await house.call('GET', `/v1/explain/schedule?schedule=${id}&at=2026-11-23T02:30`)
    assert.partialDeepStrictEqual(body, { schedule_id: id, at: '2026-11-23T01:30:00.000Z' })
    assert.match(String(body['identifier']), /^acme\/web\/f\d+$/)
    // Without an instant: now, with the last fire before and the next one.
    assert.match(await say(id), /^It fired for/)
    await clock.advance(10 * MINUTE_MS)
    assert.match(await say(id), /the next one for 2026-11-24T02:30:00\+01:00\.\nThe last one before that: It fired/)
  })

  for (const [outcome, says] of [
    ['missed', /was missed\. The scheduler did not run\.$/],
    ['skipped_overlap', /was skipped, as an earlier run had not ended\. Run r of the schedule has not finished\.$/],
    ['denied', /was denied, as the owner may not start it any more\. ada lacks/],
    ['invalid', /could not become a run\. The pipeline is gone\.$/],
  ] as const) {
    test(`tells why an instant was ${outcome}`, async () => {
      const id = await create()
      const reasons = {
        missed: 'The scheduler did not run.',
        skipped_overlap: 'Run r of the schedule has not finished.',
        denied: 'ada lacks run.start.',
        invalid: 'The pipeline is gone.',
      }
      await store(id, '2026-11-22T01:30:00Z', { outcome, reason: reasons[outcome] })
      const [told, ...more] = await why(id, '2026-11-22T01:30:00Z')
      assert.match(told?.text ?? '', says)
      assert.equal(told?.evidence[0]?.kind, 'fire')
      assert.deepEqual(more, [])
    })
  }

  test('tells of one instant among many missed ones', async () => {
    const id = await create()
    await store(id, '2026-11-18T00:00:00Z', {
      missed_count: 4320,
      missed_until: '2026-11-21T00:00:00Z',
      reason: '4,320 fires.',
    })
    assert.match(await say(id, '2026-11-20T10:00'), /was missed\. 4,320 fires\.$/)
  })

  test('tells of backfills and of their instants', async () => {
    const id = await create()
    const range = { from: '2026-11-22T00:00:00Z', to: '2026-11-22T23:00:00Z' }
    const { status, text } = await house.call('POST', `/v1/schedules/${id}/backfill`, range)
    assert.equal(status, 202, text)
    assert.match(
      await say(id, '2026-11-22T02:30'),
      /^The instant 2026-11-22T01:30:00Z of a backfill waits for its turn/,
    )
  })

  test('tells what stood against an instant: when it was made, disabled, enabled, timed anew', async () => {
    const id = await create()
    const at = (days: number) => new Date(Date.UTC(2026, 10, 24 + days, 1, 30)).toISOString()
    assert.match(await say(id, '2026-11-20T02:30'), /^The schedule was made later, at /)
    await house.call('POST', `/v1/schedules/${id}/disable`)
    assert.match(await say(id, at(0)), /^The schedule is disabled since /)
    await clock.advance(2 * DAY_MS)
    await house.call('POST', `/v1/schedules/${id}/enable`)
    assert.match(await say(id, at(0)), /^The schedule was enabled at .*; what was planned before is not made up for\.$/)
    await house.call('PATCH', `/v1/schedules/${id}`, { run_team_path: 'acme' })
    const isPlanned = /^It is planned for .*, which is still to come\.$/
    assert.match(await say(id, at(2)), isPlanned)
    const before = new Date(clock.now().getTime() - 1000).toISOString()
    await house.call('PATCH', `/v1/schedules/${id}`, { cron_expression: '30 2 * * 1-6' })
    assert.doesNotMatch(await say(id, at(1)), /Its timing was changed/)
    await clock.advance(MINUTE_MS)
    await house.call('PATCH', `/v1/schedules/${id}`, { cron_expression: '30 2 * * *' })
    assert.match(await say(id, new Date(Date.parse(before) + 2000).toISOString()), /^Its timing was changed later/)
  })

  test('tells since when it is disabled also after many runs by hand', async () => {
    const id = await create()
    const before = clock.now().toISOString()
    await clock.advance(MINUTE_MS)
    await house.call('POST', `/v1/schedules/${id}/disable`)
    const since = clock.now().toISOString()
    const answers = async () => [await say(id, since), await say(id, before)]
    const told = await answers()
    assert.equal(told[0], `The schedule is disabled since ${since.replace('.000Z', 'Z')}.`)
    for (let run = 0; run < 200; run += 1) {
      assert.equal((await house.call('POST', `/v1/schedules/${id}/run`)).status, 202)
    }
    // The runs by hand are fires of this very instant: a later one is asked about.
    await clock.advance(HOUR_MS)
    assert.deepEqual(await say(id), told[0])
    assert.deepEqual(await say(id, before), told[1])
  })

  test('tells what excludes an instant, and of its bounds', async () => {
    const holidays = [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART;VALUE=DATE:20261224',
      'DTEND;VALUE=DATE:20261227',
      'SUMMARY:Christmas',
      'END:VEVENT',
      'END:VCALENDAR',
    ]
    const id = await create({
      exclude_dates: ['2026-12-01'],
      calendar: holidays.join('\r\n'),
      not_before: '2026-11-30T00:00:00Z',
      not_after: '2026-12-31T00:00:00Z',
    })
    assert.match(await say(id, '2026-12-01T02:30'), /^The fire planned for \S+ is excluded\. By 2026-12-01\.$/)
    assert.match(await say(id, '2026-12-25T02:30'), /is excluded\. By .*Christmas/)
    assert.match(await say(id, '2026-11-29T02:30'), /^Nothing fires before not_before/)
    assert.match(await say(id, '2027-01-01T02:30'), /^Nothing fires after not_after/)
    assert.match(
      await say(id, '2026-12-02T12:00'),
      /^Nothing is planned .* 2026-12-02T02:30\S+, the next one for 2026-12-03T02:30/,
    )
  })

  test('tells what a change of the clocks does', async () => {
    const id = await create()
    assert.match(await say(id, '2027-03-28T02:30'), /a change of the clocks skips its local time, so that it moves/)
    assert.match(await say(id, '2027-10-31T02:30'), /its local time occurs twice, and this is the first/)
  })

  test('tells who is waited for', async () => {
    const id = await create({ cron_expression: '* * * * *', repository: 'acme/shop', ref: 'main' })
    await clock.advance(MINUTE_MS)
    const due = clock.now().toISOString().slice(0, 16)
    await house.scheduler.fire()
    await house.scheduler.settle()
    assert.match(await say(id, `${due}Z`), /is due, and is tried again at \S+\. The repository does not answer\.$/)
    const other = await create({ cron_expression: '* * * * *' })
    await clock.advance(10 * MINUTE_MS)
    const told = await say(other)
    assert.match(told, /is due for \d+ s, and no scheduler has come to it: see that a process with the role scheduler/)
  })

  test('a one-time schedule is over after its instant', async () => {
    const later = new Date(clock.now().getTime() + MINUTE_MS)
    const timing = { schedule_kind: 'one_time', cron_expression: undefined, run_at: later.toISOString() }
    const id = await create(timing)
    await clock.advance(MINUTE_MS)
    await house.scheduler.fire()
    assert.match(await say(id, later.toISOString()), /^It fired for /)
    const next = new Date(later.getTime() + DAY_MS).toISOString()
    assert.match(await say(id, next), /^It is a one-time schedule, and was over with /)
    const before = new Date(later.getTime() - MINUTE_MS / 2).toISOString()
    assert.match(await say(id, before), /^Nothing is planned for/)
  })

  test('takes an identifier, and refuses what is no time', async () => {
    await create({ name: 'named' })
    assert.match(await say('acme/web/named', '2030-01-01T02:30'), /^It is planned for 2030-01-01T02:30:00\+01:00/)
    const { status, text } = await house.call('GET', '/v1/explain/schedule?schedule=acme/web/named&at=tomorrow')
    assert.equal(status, 400)
    assert.match(text, /"field":"at"/)
    assert.equal((await house.call('GET', '/v1/explain/schedule')).status, 400)
  })

  test('is for those who see the schedule', async () => {
    const id = await create({ name: 'hidden' })
    assert.match(await say(id, '2030-01-01T02:30', viewer), /planned/)
    for (const asked of [id, 'acme/web/hidden', house.kit.ids.next(), 'acme/web/absent']) {
      const { status, body } = await house.call('GET', `/v1/explain/schedule?schedule=${asked}`, undefined, stranger)
      assert.equal(status, 404)
      assert.equal(body['detail'], `There is no schedule ${asked} that you may see.`)
    }
  })
})

test('a reader of the schedule who may not read the pipeline hears no reason that names what it uses', async () => {
  const id = await create({ path: 'other' })
  const secret = 'steps.build.secrets: There is no secret acme/web/npm.'
  const reasons: readonly (readonly [outcome: string, reason: string, isHidden: boolean])[] = [
    ['denied', secret, true],
    ['invalid', secret, true],
    ['missed', `It was too late. It had been tried before: ${secret}`, true],
    ['missed', 'The scheduler did not run.', false],
  ]
  for (const [at, [outcome, reason]] of reasons.entries()) {
    await store(id, `2026-11-${10 + at}T01:30:00Z`, { outcome, reason })
  }
  await sql`update schedules set last_outcome = 'denied', last_reason = ${secret} where id = ${id}`.execute(db)
  const seen = (await list(id, '', stranger)).map(({ reason }) => String(reason)).toReversed()
  for (const [at, [, reason, isHidden]] of reasons.entries()) assert.equal(seen[at] === reason, !isHidden, seen[at])
  const shown = await house.call('GET', `/v1/schedules/${id}`, undefined, stranger)
  const listed = await house.call('GET', '/v1/schedules', undefined, stranger)
  const path = `/v1/explain/schedule?schedule=${id}&at=2026-11-10T01:30:00Z`
  const explained = await house.call('GET', path, undefined, stranger)
  for (const { status, text } of [shown, listed, explained]) {
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, /npm/)
    assert.match(text, /Whoever may read the pipeline is told why/)
  }
  assert.match((await house.call('GET', `/v1/schedules/${id}`)).text, /acme\/web\/npm/, 'others are told')
})

test('whoever points a schedule at a pipeline of their own hears nothing of why the one before did not start', async () => {
  await anEnvironment(db, 'other/test')
  await aPipeline(db, 'other/build')
  const id = await create({ path: 'other', run_team_path: undefined })
  const secret = 'steps.build.secrets: There is no secret acme/web/npm.'
  await store(id, '2026-11-10T01:30:00Z', { outcome: 'denied', reason: secret })
  await sql`update schedules set last_outcome = 'denied', last_reason = ${secret} where id = ${id}`.execute(db)
  const change = { pipeline: 'other/build', scope: 'other/test' }
  const pointed = await house.call('PATCH', `/v1/schedules/${id}`, change, stranger)
  assert.equal(pointed.status, 200, pointed.text)
  assert.partialDeepStrictEqual(pointed.body, { owner: { kind: 'user', id: stranger.id } })
  await store(id, '2026-11-11T01:30:00Z', { outcome: 'invalid', reason: 'Of their own.', pipeline: 'other/build' })
  // A record of before the pipeline was kept with each.
  await store(id, '2026-11-12T01:30:00Z', { outcome: 'invalid', reason: secret, pipeline: null })
  const reads = [
    `/v1/schedules/${id}`,
    '/v1/schedules',
    `/v1/schedules/${id}/fires`,
    ...['10', '12', '13'].map((day) => `/v1/explain/schedule?schedule=${id}&at=2026-11-${day}T01:30:00Z`),
  ]
  for (const path of reads) {
    const { status, text } = await house.call('GET', path, undefined, stranger)
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, /npm/, path)
  }
  const [, own, old] = await list(id, '', stranger)
  assert.equal(own?.['reason'], 'Of their own.')
  assert.match(String(old?.['reason']), /Whoever may read the pipeline is told why/)
  const owner = await aMemberOf(db, 'reader-of-web', { 'acme/web': 'viewer', other: 'viewer' })
  assert.match(JSON.stringify(await list(id, '', owner)), /acme\/web\/npm/, 'whoever may read that pipeline is told')
})

describe('a reader of the schedule who may not see its runs', () => {
  /** The run of another team that the schedule started, and a reason that names it. */
  async function skipped(): Promise<{ readonly id: string; readonly run: string }> {
    const everyMinute = { cron_expression: '* * * * *', overlap_policy: 'skip' }
    const id = await create({ ...everyMinute, pipeline: 'ops/deploy', scope: 'ops/prod' })
    for (const _ of ['started', 'skipped']) {
      await clock.advance(MINUTE_MS)
      await house.scheduler.fire()
    }
    const [last, first] = await list(id)
    assert.deepEqual([first?.['outcome'], last?.['outcome']], ['started', 'skipped_overlap'])
    return { id, run: String(first?.['run_id']) }
  }

  test('learns the id of none, and why an instant was skipped without it; others learn both', async () => {
    const { id, run } = await skipped()
    const at = clock.now().toISOString()
    const reads = [
      `/v1/schedules/${id}`,
      '/v1/schedules',
      `/v1/schedules/${id}/fires`,
      `/v1/explain/schedule?schedule=${id}&at=${at}`,
      `/v1/explain/schedule?schedule=${id}&at=${new Date(clock.now().getTime() - MINUTE_MS).toISOString()}`,
    ]
    for (const path of reads) {
      const hidden = await house.call('GET', path, undefined, viewer)
      assert.equal(hidden.status, 200, hidden.text)
      assert.doesNotMatch(hidden.text, new RegExp(run), path)
      assert.match((await house.call('GET', path)).text, new RegExp(run), path)
    }
    const told = 'A run of the schedule has not finished (overlap_policy skip).'
    const { body } = await house.call('GET', `/v1/schedules/${id}`, undefined, viewer)
    assert.deepEqual([body['last_run_id'], body['last_reason']], [null, told])
    assert.equal((await list(id, '', viewer))[0]?.['reason'], told)
    assert.ok((await say(id, at, viewer)).endsWith(told))
    const seen = await house.call('GET', `/v1/schedules/${id}`)
    const whole = `Run ${run} of the schedule has not finished (overlap_policy skip).`
    assert.deepEqual([seen.body['last_run_id'], seen.body['last_reason']], [run, whole])
  })

  test('learns none by a write of the schedule, nor by its audit', async () => {
    const { id, run } = await skipped()
    const keeper = await aMember(db, 'keeper', 'owner', 'acme/web')
    const { status, text } = await house.call('POST', `/v1/schedules/${id}/disable`, undefined, keeper)
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, new RegExp(run))
    const audit = await house.call('GET', `/v1/audit?resource=schedule:${id}`, undefined, keeper)
    assert.match(audit.text, /schedule\.disabled/)
    assert.doesNotMatch(audit.text, new RegExp(run))
  })
})
