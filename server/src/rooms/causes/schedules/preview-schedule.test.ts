import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { SchedulePreview } from '@signalbox/contracts/schedules'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import { aSchedule, fieldsOf, openSchedules, TEAM } from './testing.ts'

const PATH = '/v1/schedules'
const testDatabase = await createTestDatabase()
const clock = createTestClock(new Date('2026-03-20T09:00:00.000Z'))
const house = await openSchedules(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely
await aTeam(db, 'acme/other')
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const stranger = (await aMember(db, 'stranger', 'viewer', 'acme/other')).headers
const berlin = { cron_expression: '30 2 * * *', timezone: 'Europe/Berlin' }

const ask = (body: Record<string, unknown>, headers = stranger) =>
  house.call('POST', `${PATH}/preview`, body, { headers })

async function preview(body: Record<string, unknown>, headers = stranger): Promise<SchedulePreview> {
  const { status, text } = await ask(body, headers)
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

test('whoever has a token asks, and nothing is stored; nobody else', async () => {
  const { words, timezone, instants, spread_known } = await preview(berlin)
  assert.deepEqual([words, timezone, spread_known], ['At 02:30, Europe/Berlin', 'Europe/Berlin', false])
  assert.equal(instants.length, 10)
  assert.deepEqual(instants[0], {
    planned_at: '2026-03-21T01:30:00.000Z',
    nominal_at: '2026-03-21T01:30:00.000Z',
    local: '2026-03-21T02:30:00+01:00',
    marks: [],
    excluded_by: null,
  })
  assert.deepEqual(await db.selectFrom('schedules').select('id').execute(), [])
  assert.equal((await ask(berlin, { authorization: '' })).status, 401)
})

test('marks what a change of the clock, a spread and an exclusion do', async () => {
  const asked = { ...berlin, from: '2026-03-28T00:00:00Z', limit: 3, exclude_dates: ['2026-03-30'] }
  const { instants } = await preview(asked)
  assert.deepEqual(
    instants.map(({ local, marks, excluded_by }) => [local, marks, excluded_by]),
    [
      ['2026-03-28T02:30:00+01:00', [], null],
      ['2026-03-29T03:00:00+02:00', ['shifted'], null],
      ['2026-03-30T02:30:00+02:00', ['excluded'], '2026-03-30'],
    ],
  )
  const autumn = await preview({ ...berlin, dst_policy: 'both', from: '2026-10-24T22:00:00Z', limit: 2 })
  assert.deepEqual(
    autumn.instants.map(({ marks }) => marks),
    [['first_of_two'], ['second_of_two']],
  )
  const spread = await preview({ ...berlin, spread: '1h', limit: 1 })
  assert.deepEqual(spread.instants[0]?.marks, ['spread'])
  assert.notEqual(spread.instants[0]?.planned_at, spread.instants[0]?.nominal_at)
})

test('of a new schedule H and spread are always the same, and of a stored one its own', async () => {
  const hashed = { cron_expression: 'H H * * *', spread: '2h' }
  const unknown = await preview(hashed)
  assert.deepEqual(unknown, await preview(hashed))
  const { body } = await house.call('POST', PATH, aSchedule({ name: 'own', ...hashed }))
  const stored = await preview({ schedule: body['id'], limit: 1 }, viewer)
  assert.equal(stored.spread_known, true)
  assert.equal(stored.instants[0]?.planned_at, body['next_fire_at'])
  const byName = await preview({ schedule: body['identifier'], limit: 1 }, viewer)
  assert.deepEqual(byName, stored)
  const changed = await preview({ schedule: body['id'], timezone: 'UTC', exclude_dates: ['2026-03-21'] }, viewer)
  assert.equal(changed.timezone, 'UTC')
  const turned = { schedule: body['id'], schedule_kind: 'one_time', run_at: '2026-05-01T00:00:00Z', spread: null }
  const { instants } = await preview(turned, viewer)
  assert.deepEqual(
    instants.map(({ planned_at }) => planned_at),
    ['2026-05-01T00:00:00.000Z'],
  )
})

test('a schedule that is hidden reads as one that is absent', async () => {
  const { body } = await house.call('POST', PATH, aSchedule({ name: 'hidden' }))
  const seen = async (schedule: unknown) => {
    const { status, body: problem, text } = await ask({ schedule })
    assert.deepEqual([status, fieldsOf(problem)], [400, ['schedule']], text)
    return text.replaceAll(String(schedule), 'X').replace(/"request_id":"[^"]*"/, '')
  }
  const hidden = await seen(body['id'])
  for (const absent of [body['identifier'], randomUUID(), 'acme/web/none', '-'.repeat(36)]) {
    assert.equal(await seen(absent), hidden)
  }
})

test('one time', async () => {
  const once = await preview({ run_at: '2026-03-29T02:30:00', timezone: 'Europe/Berlin' })
  assert.equal(once.words, 'Once at 2026-03-29T03:00:00+02:00, Europe/Berlin')
  assert.deepEqual(
    once.instants.map(({ planned_at, marks }) => [planned_at, marks]),
    [['2026-03-29T01:00:00.000Z', ['shifted']]],
  )
  assert.deepEqual((await preview({ run_at: '2020-01-01T00:00:00Z' })).instants, [], 'over')
})

const wrong: [string, Record<string, unknown>, string[]][] = [
  ['nothing', {}, ['cron_expression']],
  ['an expression that cannot be read', { cron_expression: '* * 32 * *' }, ['cron_expression']],
  ['all at once', { cron_expression: '*', timezone: 'X', spread: '25h' }, ['timezone', 'cron_expression', 'spread']],
  ['both kinds', { ...berlin, run_at: '2026-05-01T00:00:00Z' }, ['run_at']],
  ['a kind without its field', { schedule_kind: 'one_time' }, ['run_at']],
  ['a spread of months', { ...berlin, spread: '9999h' }, ['spread']],
  ['a second that does not exist', { ...berlin, from: '2026-12-31T23:59:60Z' }, ['from']],
  ['too many', { ...berlin, limit: 201 }, ['limit']],
  ['none', { ...berlin, limit: 0 }, ['limit']],
  ['a field of no timing', { ...berlin, pipeline: 'acme/web/build' }, ['pipeline']],
]
for (const [name, body, fields] of wrong) {
  test(`${name}: 400, and named`, async () => {
    const { status, body: problem, text } = await ask(body)
    assert.deepEqual([status, fieldsOf(problem)], [400, fields], text)
  })
}

test('a day that never comes has words and no instant', async () => {
  const { words, instants } = await preview({ cron_expression: '0 0 30 2 *' })
  assert.deepEqual([words, instants], ['At 00:00, on day 30 of the month, only in February, UTC', []])
})

test('at the ends of time it answers instants that RFC 3339 can write', async () => {
  for (const from of ['0001-01-01T00:00:00Z', '9999-12-31T12:00:00Z', '9999-12-31T23:59:59.999Z']) {
    for (const timing of [{ cron_expression: '* * * * * *', spread: '24h' }, { run_at: '9999-12-31T23:59:59-12:00' }]) {
      const { instants } = await preview({ ...timing, timezone: 'Asia/Kolkata', from, limit: 200 })
      assert.ok(
        instants.every(({ planned_at }) => /^\d{4}-/.test(planned_at)),
        from,
      )
    }
  }
})

test('what is made to cost much costs little', async () => {
  const event = (more: string) => `BEGIN:VEVENT\r\nDTSTART:20000101T000000\r\n${more}END:VEVENT\r\n`
  const calendarOf = (more: string) => {
    const fits = Math.floor(65_000 / event(more).length)
    return `BEGIN:VCALENDAR\r\n${event(more).repeat(fits)}END:VCALENDAR\r\n`
  }
  const calendars = [
    'RRULE:FREQ=DAILY\r\n',
    'RRULE:FREQ=DAILY;COUNT=9999\r\n',
    'RRULE:FREQ=MONTHLY;BYDAY=5FR;INTERVAL=7\r\n',
    `EXDATE:${'20260101T000000,'.repeat(3000)}20260101T000000\r\nRRULE:FREQ=DAILY\r\n`,
    'DURATION:P3000D\r\nRRULE:FREQ=YEARLY;INTERVAL=99\r\n',
  ].map(calendarOf)
  const dates = Array.from({ length: 400 }, (_, year) => `${2000 + year}-01-01/${2000 + year}-12-31`)
  const costly: Record<string, unknown>[] = [
    { cron_expression: '59 59 23 31 2,4,6,9,11 *' },
    { cron_expression: '0 0 29 2 */7', dst_policy: 'both' },
    { cron_expression: `${Array.from({ length: 60 }, (_, at) => at).join(',')} * * * *`, exclude_dates: dates },
    ...calendars.map((calendar) => ({ cron_expression: '* * * * * *', calendar })),
    ...calendars.map((calendar) => ({ cron_expression: '0 0 * * 5', calendar })),
  ]
  for (const body of costly) {
    const before = process.cpuUsage()
    const { status, text } = await ask({ ...body, timezone: 'Africa/Casablanca', limit: 200 })
    const { user, system } = process.cpuUsage(before)
    assert.ok(status === 200 || status === 400, text)
    assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms for ${JSON.stringify(body).slice(0, 200)}`)
  }
})
