import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { endByCancel } from '../../../execution/runs/testing.ts'
import { createBackfiller } from '../actions/start-backfills.ts'
import { fieldsOf } from '../testing.ts'
import { HOUR_MS, MINUTE_MS, openScheduling } from './testing.ts'

/** Each instant that an expression names starts once, also beside a backfill and after a change of the timing. */

const scheduling = await openScheduling()
const { house, clock, create, read, fires, runs, testDatabase } = scheduling
const { means, scheduler } = house
const db = testDatabase.database.kysely
after(() => house.close())

async function reset(): Promise<void> {
  await db.deleteFrom('schedules').execute()
  clock.set(new Date(Math.ceil((clock.now().getTime() + 1) / HOUR_MS) * HOUR_MS))
}

async function fireAll(): Promise<void> {
  while ((await scheduler.fire()).more);
}

/** Nominal instants of its runs, in order of their start. */
const started = async (id: string) => (await runs(id)).map((run) => run.scheduled_at?.toISOString().slice(11, 19))

describe('a backfill beside the scheduler', () => {
  const advance = () => createBackfiller(means).advance()

  async function backfill(id: string, from: unknown, to: unknown, only_missing = true): Promise<unknown> {
    const { status, body, text } = await house.call('POST', `/v1/schedules/${id}/backfill`, { from, to, only_missing })
    assert.equal(status, 202, text)
    return body['total']
  }

  test('starts no instant that is due, and that the schedule itself still decides', async () => {
    await reset()
    const id = await create({ cron_expression: '0 * * * *', misfire_policy: 'all' })
    const due = String((await read(id))['next_fire_at'])
    const before = new Date(Date.parse(due) - HOUR_MS).toISOString()
    clock.set(new Date(Date.parse(due) + MINUTE_MS))
    for (const onlyMissing of [true, false]) assert.equal(await backfill(id, due, due, onlyMissing), 0)
    assert.equal(await backfill(id, before, due), 1, 'the one before was decided: the schedule was made after it')
    await advance()
    await fireAll()
    await advance()
    assert.deepEqual(
      await started(id),
      [before, due].map((at) => at.slice(11, 19)),
    )
    for (const run of await runs(id)) await endByCancel(house.kit, run.id, 'The test ends it.')
    await advance()
    assert.equal(await backfill(id, due, due, false), 1, 'once it is decided, somebody may ask for it again')
  })

  test('leaves an instant that is tried again to the schedule, and takes it once that is disabled', async () => {
    await reset()
    const id = await create()
    const due = String((await read(id))['next_fire_at'])
    clock.set(new Date(due))
    const retry = { retry_at: new Date(Date.parse(due) + MINUTE_MS), retry_reason: 'The repository does not answer.' }
    await db.updateTable('schedules').set(retry).where('id', '=', id).execute()
    assert.equal(await backfill(id, due, due), 0)
    await house.call('POST', `/v1/schedules/${id}/disable`)
    assert.equal(await backfill(id, due, due), 1)
  })

  test('leaves the instant of a one-time schedule to it while it is due', async () => {
    await reset()
    const at = new Date(clock.now().getTime() + MINUTE_MS).toISOString()
    const id = await create({ schedule_kind: 'one_time', cron_expression: null, run_at: at })
    clock.set(new Date(at))
    assert.equal(await backfill(id, at, at, false), 0)
    await fireAll()
    assert.equal(await backfill(id, at, at), 0, 'it has started')
    assert.equal(await backfill(id, at, at, false), 1)
  })
})

describe('a timing that changes after an instant was decided', () => {
  const patch = async (id: string, change: object) => {
    const { status, body, text } = await house.call('PATCH', `/v1/schedules/${id}`, change)
    assert.equal(status, 200, text)
    return String(body['next_fire_at'])
  }

  /** Fires hourly; the spread of an hour delays it by more than a minute. */
  async function delayed(overrides: Record<string, unknown> = {}): Promise<string> {
    for (;;) {
      await reset()
      const id = await create({ cron_expression: '0 * * * *', enabled: false, spread: '1h', ...overrides })
      const url = `/v1/schedules/preview`
      const { body } = await house.call('POST', url, { schedule: id, from: clock.now().toISOString(), limit: 1 })
      const [first] = Object(body['instants'])
      if (Date.parse(first.planned_at) - Date.parse(first.nominal_at) > 2 * MINUTE_MS) return id
    }
  }

  for (const [what, change] of [
    ['a spread that grows', { spread: '1h' }],
    ['a spread and another expression', { spread: '1h', cron_expression: '*/60 * * * *' }],
    ['a spread and another zone', { spread: '1h', timezone: 'Africa/Abidjan' }],
  ] as const) {
    test(`${what} does not fire it again`, async () => {
      const id = await delayed()
      await patch(id, { spread: null, enabled: true })
      const first = String((await read(id))['next_fire_at'])
      clock.set(new Date(Date.parse(first) + 1000))
      await fireAll()
      const next = await patch(id, change)
      const { body } = await house.call('POST', '/v1/schedules/preview', { schedule: id, limit: 1 })
      assert.equal(Object(body['instants'])[0].planned_at, next, 'the preview tells the same')
      clock.set(new Date(next))
      await fireAll()
      const [one, two, ...others] = (await runs(id)).map((run) => run.scheduled_at?.getTime())
      assert.deepEqual([one, two, others], [Date.parse(first), Date.parse(first) + HOUR_MS, []])
    })
  }

  test('neither does a spread that grows while the schedule is disabled', async () => {
    const id = await delayed()
    await patch(id, { spread: null, enabled: true })
    clock.set(new Date(String((await read(id))['next_fire_at'])))
    await fireAll()
    await patch(id, { enabled: false })
    await patch(id, { spread: '1h' })
    const next = await patch(id, { enabled: true })
    clock.set(new Date(next))
    await fireAll()
    const times = await started(id)
    assert.equal(new Set(times).size, 2, times.join(' '))
  })

  test('what was due and is recorded as missed by the change does not fire either', async () => {
    const id = await delayed()
    await patch(id, { spread: null, enabled: true })
    const due = String((await read(id))['next_fire_at'])
    clock.set(new Date(due))
    clock.set(new Date(await patch(id, { spread: '1h' })))
    await fireAll()
    const decided = (await fires(id)).map(({ nominal_at, outcome }) => [nominal_at.getTime(), outcome])
    assert.deepEqual(decided, [
      [Date.parse(due), 'missed'],
      [Date.parse(due) + HOUR_MS, 'started'],
    ])
  })

  test('what a backfill started does not fire either', async () => {
    const id = await delayed()
    await patch(id, { spread: null })
    const instant = new Date(Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS).toISOString()
    const range = { from: instant, to: instant }
    assert.equal((await house.call('POST', `/v1/schedules/${id}/backfill`, range)).body['total'], 1)
    await createBackfiller(means).advance()
    clock.set(new Date(await patch(id, { spread: '1h', enabled: true })))
    await fireAll()
    const times = await started(id)
    assert.equal(new Set(times).size, 2, times.join(' '))
  })

  test('a one-time schedule fires at its new time, and at its old one no more', async () => {
    const at = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()
    const once = { schedule_kind: 'one_time', cron_expression: null }
    const id = await delayed()
    await patch(id, { ...once, spread: null, run_at: at(MINUTE_MS), enabled: true })
    clock.set(new Date(at(MINUTE_MS)))
    await fireAll()
    const again = await house.call('PATCH', `/v1/schedules/${id}`, { enabled: true, spread: '1h' })
    assert.deepEqual([again.status, fieldsOf(again.body)], [400, ['run_at']], again.text)
    clock.set(new Date(await patch(id, { enabled: true, spread: '1h', run_at: at(MINUTE_MS) })))
    await fireAll()
    assert.equal((await runs(id)).length, 2)
  })
})
