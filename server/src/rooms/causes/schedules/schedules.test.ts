import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createTestClock, createTestDatabase } from '#platform/testing'
import { aDocument, aPipeline } from '../../catalog/pipelines/testing.ts'
import { aMember, aMemberOf } from '../../foundation/access/testing.ts'
import { anEnvironment, aTeam } from '../../foundation/teams/testing.ts'
import { aSchedule, fieldsOf, openSchedules, SCOPE, TEAM } from './testing.ts'

const PATH = '/v1/schedules'
const testDatabase = await createTestDatabase()
const clock = createTestClock(new Date('2026-11-23T09:00:00.000Z'))
const house = await openSchedules(testDatabase, { clock })
after(() => house.close())
const db = testDatabase.database.kysely
const root = await db.selectFrom('users').select('id').where('login', '=', 'root').executeTakeFirstOrThrow()
await anEnvironment(db, 'acme/web/production', { protected: true, allowedSubjects: [`user:${root.id}`] })
await anEnvironment(db, 'acme/other/staging')
await aPipeline(db, 'acme/other/build')
await aPipeline(db, 'acme/web/lettered', aDocument('lettered', 'variables: { MY_LETTER: none }\n'))
await aTeam(db, 'acme/ears')
const editor = await aMember(db, 'editor', 'editor', TEAM)
const operator = (await aMember(db, 'operator', 'operator', TEAM)).headers
const viewer = (await aMember(db, 'viewer', 'viewer', TEAM)).headers
const stranger = (await aMember(db, 'stranger', 'owner', 'acme/other')).headers

let count = 0
function aNamed(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  count += 1
  return aSchedule({ name: `s${count}`, ...overrides })
}

const CALENDAR =
  'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Freeze\r\nDTSTART;VALUE=DATE:20261201\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
const ONCE = { schedule_kind: 'one_time', cron_expression: undefined, run_at: '2026-12-24T08:00:00' }

describe('create', () => {
  test('answers the schedule with defaults; the caller is its owner', async () => {
    const { path, name, pipeline, schedule_kind, cron_expression } = aNamed()
    const body = { path, name, pipeline, schedule_kind, cron_expression, scope: SCOPE }
    const called = await house.call('POST', PATH, body, { headers: editor.headers })
    assert.equal(called.status, 201, called.text)
    assert.equal(called.headers['location'], `${PATH}/${called.body['id']}`)
    const { id, created_at, updated_at, ...rest } = called.body
    assert.deepEqual([created_at, updated_at], ['2026-11-23T09:00:00.000Z', '2026-11-23T09:00:00.000Z'])
    assert.equal(called.headers['etag'], (await house.call('GET', `${PATH}/${id}`)).headers['etag'])
    assert.deepEqual(rest, {
      ...body,
      identifier: `${TEAM}/${name}`,
      run_at: null,
      timezone: 'UTC',
      dst_policy: 'once',
      spread: null,
      exclude_dates: [],
      calendar: null,
      not_before: null,
      not_after: null,
      enabled: true,
      run_team_path: null,
      variables: {},
      repository: null,
      ref: null,
      overlap_policy: 'allow',
      misfire_policy: 'skip',
      misfire_grace_seconds: 300,
      misfire_window_seconds: 86_400,
      owner: { kind: 'user', id: editor.id, name: 'editor' },
      next_fire_at: '2026-11-24T02:30:00.000Z',
      last_fire_at: null,
      last_outcome: null,
      last_reason: null,
      last_run_id: null,
    })
  })

  test('keeps every field as it was written', async () => {
    const whole = {
      pipeline: 'acme/web/lettered',
      dst_policy: 'both',
      spread: '15m',
      exclude_dates: ['2026-12-25', '2026-12-30/2027-01-02'],
      calendar: CALENDAR,
      not_before: '2026-11-24T00:00:00.000Z',
      not_after: '2027-11-24T00:00:00.000Z',
      run_team_path: 'acme/ears',
      variables: { MY_LETTER: 'A b' },
      repository: 'acme/shop',
      ref: 'refs/tags/v1',
      overlap_policy: 'queue_one',
      misfire_policy: 'all',
      misfire_grace_seconds: 0,
      misfire_window_seconds: 3600,
      enabled: false,
    }
    const { status, body, text } = await house.call('POST', PATH, aNamed(whole))
    assert.equal(status, 201, text)
    assert.deepEqual({ ...body, ...whole, next_fire_at: null }, body)
    const stored = await house.call('GET', `${PATH}/${body['id']}`)
    assert.deepEqual({ ...stored.body, ...body }, stored.body)
  })

  test('once: a local time is of the zone, and its instant is the next one', async () => {
    const { body, text } = await house.call('POST', PATH, aNamed(ONCE))
    assert.equal(body['next_fire_at'], '2026-12-24T07:00:00.000Z', text)
    assert.equal(body['run_at'], '2026-12-24T08:00:00')
  })

  test('the scope that is not named is the only one of the team of the pipeline, and is stored', async () => {
    const own = { path: 'acme/other', pipeline: 'acme/other/build', scope: undefined }
    const found = await house.call('POST', PATH, aNamed(own), { headers: stranger })
    assert.equal(found.body['scope'], 'acme/other/staging', found.text)
    const { status, body } = await house.call('POST', PATH, aNamed({ scope: undefined }))
    assert.deepEqual([status, fieldsOf(body)], [400, ['scope']])
    assert.match(String(body['detail']), /acme\/web\/production, acme\/web\/staging/)
  })

  const wrong: [string, Record<string, unknown>, string][] = [
    ['a missing pipeline', { pipeline: undefined }, 'pipeline'],
    ['an unknown pipeline', { pipeline: 'acme/web/none' }, 'pipeline'],
    ['an id for a pipeline', { pipeline: randomUUID() }, 'pipeline'],
    ['an unknown scope', { scope: 'acme/web/none' }, 'scope'],
    ['an unknown team', { path: 'acme/nowhere' }, 'path'],
    ['an unknown team that hears', { run_team_path: 'acme/nowhere' }, 'run_team_path'],
    ['an unknown kind', { schedule_kind: 'sometimes' }, 'schedule_kind'],
    ['no kind', { schedule_kind: undefined }, 'schedule_kind'],
    ['no expression', { cron_expression: undefined }, 'cron_expression'],
    ['an expression that cannot be read', { cron_expression: '61 * * * *' }, 'cron_expression'],
    ['an expression of a day that never comes', { cron_expression: '0 0 30 2 *' }, 'cron_expression'],
    ['the same, while disabled', { cron_expression: '0 0 30 2 *', enabled: false }, 'cron_expression'],
    ['a run_at that would never be read', { run_at: '2026-12-24T08:00:00' }, 'run_at'],
    ['an expression that would never be read', { ...ONCE, cron_expression: '* * * * *' }, 'cron_expression'],
    ['one_time without run_at', { ...ONCE, run_at: undefined }, 'run_at'],
    ['a run_at that is no time', { ...ONCE, run_at: 'tomorrow' }, 'run_at'],
    ['a run_at in the past', { ...ONCE, run_at: '2026-11-23T08:59:59Z' }, 'run_at'],
    ['a run_at that is excluded', { ...ONCE, exclude_dates: ['2026-12-24'] }, 'run_at'],
    ['a run_at after the last year', { ...ONCE, run_at: '9999-12-31T23:59:59-12:00' }, 'run_at'],
    ['a run_at after not_after', { ...ONCE, not_after: '2026-12-01T00:00:00Z' }, 'run_at'],
    ['an unknown zone', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an unknown policy', { overlap_policy: 'maybe' }, 'overlap_policy'],
    ['a spread of more than a day', { spread: '25h' }, 'spread'],
    ['a spread of more than a month', { spread: '999999h' }, 'spread'],
    ['a spread that is none', { spread: '0s' }, 'spread'],
    ['a date that is none', { exclude_dates: ['2026-12-25', '2026-02-30'] }, 'exclude_dates[1]'],
    ['a calendar that cannot be read', { calendar: 'BEGIN:VCALENDAR' }, 'calendar'],
    ['a calendar that is too large', { calendar: 'x'.repeat(65_537) }, 'calendar'],
    [
      'an end before the beginning',
      { not_before: '2027-01-02T00:00:00Z', not_after: '2027-01-01T00:00:00Z' },
      'not_after',
    ],
    ['an end in the past', { not_after: '2026-01-01T00:00:00Z' }, 'not_after'],
    ['an end after the last year', { not_after: '9999-12-31T23:59:59-14:00' }, 'not_after'],
    ['a time that is none', { not_before: '2026-12-31T23:59:60Z' }, 'not_before'],
    [
      'exclusion of all that it names',
      { cron_expression: '0 0 25 12 *', exclude_dates: ['2000-01-01/9999-12-31'] },
      'cron_expression',
    ],
    ['a grace of more than a day', { misfire_grace_seconds: 86_401 }, 'misfire_grace_seconds'],
    ['a variable that the pipeline does not declare', { variables: { PATH: '/tmp' } }, 'variables.PATH'],
    ['a variable of no name', { variables: { 'A B': 'x' } }, 'variables.A B'],
    ['a variable of no text', { variables: { A: 1 } }, 'variables.A'],
    ['a repository without a ref', { repository: 'acme/shop' }, 'ref'],
    ['a ref without a repository', { ref: 'main' }, 'repository'],
    ['a repository without an owner', { repository: 'shop', ref: 'main' }, 'repository'],
    ['a repository that leads elsewhere', { repository: 'acme/../shop', ref: 'main' }, 'repository'],
    ['the code of a pull request', { repository: 'acme/shop', ref: 'refs/pull/1/head' }, 'ref'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ]
  for (const [name, change, field] of wrong) {
    test(`${name} is 400 and named`, async () => {
      const { status, body, text } = await house.call('POST', PATH, aNamed(change))
      assert.equal(status, 400, text)
      assert.ok(fieldsOf(body).includes(field), text)
    })
  }

  test('all that is wrong is said at once, each field once, before any right is judged', async () => {
    const faulty = {
      cron_expression: '* *',
      timezone: 'Nowhere',
      run_at: 'x',
      run_team_path: 'acme/nowhere',
      ref: 'main',
      scope: 'acme/web/none',
    }
    const { body } = await house.call('POST', PATH, aNamed({ ...faulty, pipeline: 'acme/web/none' }))
    const fields = ['cron_expression', 'pipeline', 'repository', 'run_at', 'run_team_path', 'scope', 'timezone']
    assert.deepEqual(fieldsOf(body).toSorted(), fields)
    assert.equal(body['code'], 'schedule.invalid')
    const seer = await aMemberOf(db, 'seer-of-faults', { [TEAM]: 'editor', 'acme/other': 'viewer' })
    const forbidden = aNamed({ pipeline: 'acme/other/build', timezone: 'Nowhere' })
    const refused = await house.call('POST', PATH, forbidden, { headers: seer.headers })
    assert.deepEqual([refused.status, fieldsOf(refused.body)], [400, ['timezone']])
    const nowhere = aNamed({ pipeline: 'acme/other/build', scope: 'acme/web/none' })
    const unscoped = await house.call('POST', PATH, nowhere, { headers: seer.headers })
    assert.deepEqual([unscoped.status, fieldsOf(unscoped.body)], [400, ['scope']])
  })

  test('what is over may be stored while it is disabled', async () => {
    const past = { ...ONCE, run_at: '2020-01-01T00:00:00Z', enabled: false }
    const ended = { not_after: '2020-01-01T00:00:00Z', enabled: false }
    for (const over of [past, ended]) {
      const { status, body, text } = await house.call('POST', PATH, aNamed(over))
      assert.equal(status, 201, text)
      assert.equal(body['next_fire_at'], null)
      const enabled = await house.call('POST', `${PATH}/${body['id']}/enable`)
      assert.equal(enabled.status, 400, enabled.text)
    }
  })

  test('a name that is taken in the team is 409', async () => {
    const body = aNamed()
    assert.equal((await house.call('POST', PATH, body)).status, 201)
    const again = await house.call('POST', PATH, body)
    assert.deepEqual([again.status, again.body['code'], fieldsOf(again.body)], [409, 'schedule.name_taken', ['name']])
    const elsewhere = { ...body, path: 'acme/other', pipeline: 'acme/other/build', scope: 'acme/other/staging' }
    assert.equal((await house.call('POST', PATH, elsewhere)).status, 201, 'a name is of its team')
  })

  test('of two at once one is made', async () => {
    const body = aNamed()
    const answers = await Promise.all([1, 2, 3, 4].map(() => house.call('POST', PATH, body)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
  })

  test('with an Idempotency-Key it is made once', async () => {
    const [body, headers] = [aNamed(), { 'idempotency-key': randomUUID() }]
    const first = await house.call('POST', PATH, body, { headers })
    const again = await house.call('POST', PATH, body, { headers })
    assert.deepEqual([again.status, again.body['id']], [201, first.body['id']])
  })

  test('nobody makes a schedule start what they may not start themselves', async () => {
    const as = async (headers: Record<string, string>, change: Record<string, unknown>) =>
      (await house.call('POST', PATH, aNamed(change), { headers })).status
    assert.equal(await as({ authorization: '' }, {}), 401)
    assert.equal(await as(viewer, {}), 403)
    assert.equal(await as(operator, {}), 403)
    assert.equal(await as(stranger, {}), 403)
    assert.equal(await as(editor.headers, { path: 'acme/other' }), 403)
    assert.equal(await as(editor.headers, { path: 'acme/nowhere' }), 403, 'absent reads as hidden')
    assert.equal(await as(editor.headers, { pipeline: 'acme/other/build' }), 400, 'hidden reads as absent')
    assert.equal(await as(editor.headers, { scope: 'acme/web/production' }), 403)
    assert.equal(await as(editor.headers, { scope: 'acme/other/staging' }), 400, 'hidden reads as absent')
    assert.equal(await as(editor.headers, { run_team_path: 'acme/ears' }), 400, 'hidden reads as absent')
    assert.equal(await as(editor.headers, { repository: 'acme/shop', ref: 'main' }), 201)
    const seer = await aMemberOf(db, 'seer', { [TEAM]: 'editor', 'acme/other': 'viewer', 'acme/ears': 'operator' })
    await anEnvironment(db, 'acme/ears/staging')
    await aPipeline(db, 'acme/ears/build')
    const elsewhere = { pipeline: 'acme/other/build', scope: 'acme/other/staging' }
    const refused = await house.call('POST', PATH, aNamed(elsewhere), { headers: seer.headers })
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.text, /run\.start on acme\/other/)
    const run = { pipeline: 'acme/ears/build', scope: 'acme/ears/staging' }
    assert.equal(await as(seer.headers, run), 201, 'an operator of the pipeline')
    assert.equal(await as(seer.headers, { ...run, repository: 'a/b', ref: 'main' }), 403, 'needs pipeline.write')
  })

  test('what is hidden and what is absent get the same words', async () => {
    for (const [field, hidden, absent] of [
      ['pipeline', 'acme/other/build', 'acme/other/bring'],
      ['scope', 'acme/other/staging', 'acme/other/stagina'],
      ['run_team_path', 'acme/ears', 'acme/nose'],
    ] as const) {
      const ask = async (value: string) => {
        const { status, text } = await house.call('POST', PATH, aSchedule({ name: 'probe', [field]: value }), {
          headers: editor.headers,
        })
        return [status, text.replaceAll(value, 'VALUE').replace(/"request_id":"[^"]*"/, '')]
      }
      assert.deepEqual(await ask(hidden), await ask(absent), field)
    }
  })
})
