import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { createTestClock, createTestDatabase } from '#platform/testing'
import type { CheckoutFinder } from '#rooms/execution/runs'
import { aPipeline } from '../../catalog/pipelines/testing.ts'
import { endByCancel, NOTHING_ABOVE } from '../../execution/runs/testing.ts'
import { aGrant, aMember } from '../../foundation/access/testing.ts'
import { aTeam } from '../../foundation/teams/testing.ts'
import type { CallOptions } from '../sources/testing.ts'
import { createBackfiller } from './actions/start-backfills.ts'
import { aSchedule, openSchedules } from './testing.ts'

// The clock stands at noon of 23 November. Schedules fire at 02:30 of Berlin, which is 01:30 UTC.

const MINUTE_MS = 60_000

let findCheckout: CheckoutFinder = NOTHING_ABOVE.findCheckout
const testDatabase = await createTestDatabase()
const clock = createTestClock(new Date('2026-11-23T12:00:00.000Z'))
const above = { ...NOTHING_ABOVE, findCheckout: (...asked: Parameters<CheckoutFinder>) => findCheckout(...asked) }
const house = await openSchedules(testDatabase, { clock, above })
after(() => house.close())
const db = testDatabase.database.kysely
const backfiller = createBackfiller(house.means)

// A backfill that a test leaves behind would start runs in the next one.
afterEach(async () => {
  await db.deleteFrom('schedules').execute()
})

let made = 0
async function create(overrides: Record<string, unknown> = {}): Promise<string> {
  made += 1
  const document = aSchedule({ name: `b${made}`, ...overrides })
  const { status, body, text } = await house.call('POST', '/v1/schedules', document)
  assert.equal(status, 201, text)
  return String(body['id'])
}

/** 20, 21 and 22 November. */
const THREE_DAYS = { from: '2026-11-20T00:00:00Z', to: '2026-11-22T23:00:00Z' }

const ask = (id: string, body: object = {}, options?: CallOptions) =>
  house.call('POST', `/v1/schedules/${id}/backfill`, { ...THREE_DAYS, ...body }, options)

async function start(id: string, body: object = {}, options?: CallOptions): Promise<string> {
  const { status, body: backfill, text } = await ask(id, body, options)
  assert.equal(status, 202, text)
  return String(backfill['id'])
}

async function read(id: string, backfill: string): Promise<Record<string, unknown>> {
  const { status, body, text } = await house.call('GET', `/v1/schedules/${id}/backfills/${backfill}`)
  assert.equal(status, 200, text)
  return body
}

/** Its state and its numbers, without those that are 0. */
async function progress(id: string, backfill: string): Promise<Record<string, unknown>> {
  const all = await read(id, backfill)
  const names = ['state', 'total', 'pending', 'started', 'unfinished', 'failed', 'canceled']
  return Object.fromEntries(names.flatMap((name) => (all[name] === 0 ? [] : [[name, all[name]]])))
}

async function runsOf(id: string) {
  return db.selectFrom('runs').selectAll().where('schedule_id', '=', id).orderBy('id').execute()
}

/** Ends the runs of a schedule that have not ended. */
async function endRuns(id: string): Promise<void> {
  for (const run of await runsOf(id)) await endByCancel(house.kit, run.id, 'The test ends it.')
}

const planned = (fires: readonly { readonly planned_at: Date }[]): string[] =>
  fires.map(({ planned_at: at }) => at.toISOString().slice(5, 16))

async function firesOf(id: string) {
  return db.selectFrom('schedule_fires').selectAll().where('schedule_id', '=', id).orderBy('planned_at').execute()
}

describe('POST /v1/schedules/{id}/backfill', () => {
  test('answers 202 with its place; its instants wait, and the audit says who asked', async () => {
    const id = await create()
    const { status, body, headers } = await ask(id)
    assert.equal(status, 202)
    assert.equal(headers['location'], `/v1/schedules/${id}/backfills/${body['id']}`)
    const { id: _id, requested_by: by, ...rest } = body
    assert.deepEqual(rest, {
      schedule_id: id,
      from: '2026-11-20T00:00:00.000Z',
      to: '2026-11-22T23:00:00.000Z',
      only_missing: true,
      concurrency: 1,
      state: 'running',
      total: 3,
      pending: 3,
      started: 0,
      unfinished: 0,
      failed: 0,
      canceled: 0,
      created_at: clock.now().toISOString(),
      finished_at: null,
    })
    assert.partialDeepStrictEqual(by, { kind: 'user', name: 'root' })
    assert.deepEqual(await read(id, String(body['id'])), body)
    assert.deepEqual(planned(await firesOf(id)), ['11-20T01:30', '11-21T01:30', '11-22T01:30'])
    const records = await db.selectFrom('audit_records').selectAll().where('resource_id', '=', id).execute()
    const record = records.find(({ action }) => action === 'schedule.backfill_created')
    assert.partialDeepStrictEqual(record?.after, { id: body['id'], total: 3, state: 'running' })
  })

  test('takes both ends of the range, and a disabled schedule', async () => {
    const id = await create({ enabled: false })
    const { body } = await ask(id, { from: '2026-11-20T01:30:00Z', to: '2026-11-22T01:30:00Z' })
    assert.equal(body['total'], 3)
  })

  test('takes an identifier', async () => {
    await create({ name: 'named' })
    const { status } = await ask('acme%2Fweb%2Fnamed')
    assert.equal(status, 202)
  })

  test('leaves out what is excluded today', async () => {
    const id = await create({ exclude_dates: ['2026-11-21'] })
    await start(id)
    assert.deepEqual(planned(await firesOf(id)), ['11-20T01:30', '11-22T01:30'])
  })

  test('an instant that started a run is not missing, also if its spread was another one; one that was missed is', async () => {
    const id = await create()
    await db
      .insertInto('schedule_fires')
      .values(
        (
          [
            ['2026-11-20T01:40:00Z', '2026-11-20T01:30:00Z', 'started'],
            ['2026-11-21T01:30:00Z', '2026-11-21T01:30:00Z', 'missed'],
          ] as const
        ).map(([planned_at, nominal_at, outcome]) => ({
          id: house.kit.ids.next(),
          schedule_id: id,
          kind: 'scheduled' as const,
          planned_at,
          nominal_at,
          fired_at: planned_at,
          outcome,
          run_id: outcome === 'started' ? house.kit.ids.next() : null,
          reason: outcome === 'started' ? null : 'The scheduler did not run.',
        })),
      )
      .execute()
    const first = await ask(id)
    assert.equal(first.body['total'], 2)
    await house.call('POST', `/v1/schedules/${id}/backfills/${first.body['id']}/cancel`)
    const { body } = await ask(id, { only_missing: false })
    assert.equal(body['total'], 3)
  })

  test('has finished at once where no instant is left', async () => {
    const id = await create()
    const { status, body } = await ask(id, { from: '2026-11-20T12:00:00Z', to: '2026-11-20T13:00:00Z' })
    assert.equal(status, 202)
    assert.partialDeepStrictEqual(body, { state: 'finished', total: 0, finished_at: clock.now().toISOString() })
  })

  for (const [what, body, field, says] of [
    ['a range backwards', { from: '2026-11-22T00:00:00Z', to: '2026-11-21T00:00:00Z' }, 'from', /earlier instant/],
    ['the future', { to: '2026-11-23T12:00:00.001Z' }, 'to', /future/],
    ['no time', { from: 'yesterday' }, 'from', /a time with its offset/],
    ['too many at a time', { concurrency: 51 }, 'concurrency', /50/],
    ['none at a time', { concurrency: 0 }, 'concurrency', /1/],
    ['an unknown field', { policy: 'all' }, 'policy', /./],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const id = await create()
      const { status, body: problem, text } = await ask(id, body)
      assert.equal(status, 400, text)
      const errors: readonly { field: string; message: string }[] = JSON.parse(text).errors
      assert.deepEqual(
        errors.map((error) => error.field),
        [field],
        text,
      )
      assert.match(errors[0]?.message ?? '', says)
      assert.equal(problem['code'], 'invalid_request')
      assert.deepEqual(await firesOf(id), [])
    })
  }

  test('refuses more than 1,000 instants, says how many there are and what to ask for', async () => {
    const id = await create({ cron_expression: '* * * * *' })
    const range = { from: '2026-11-22T00:00:00Z', to: '2026-11-22T23:59:00Z' }
    const { status, text } = await ask(id, range)
    assert.equal(status, 400)
    assert.match(text, /1,440 instants, and 1,000 at most are taken: ask up to 2026-11-22T16:39:00\.000Z/)
    const { body } = await ask(id, { ...range, to: '2026-11-22T16:39:00Z' })
    assert.equal(body['total'], 1000)
  })

  test('does not count for ever', async () => {
    const id = await create({ cron_expression: '* * * * * *' })
    const { status, text } = await ask(id, { from: '0001-01-01T00:00:00Z' })
    assert.equal(status, 400)
    assert.match(text, /more than 10,000 instants/)
  })

  test('refuses a range that another one is at, and takes one beside it', async () => {
    const id = await create()
    const first = await start(id)
    const { status, body } = await ask(id, { from: '2026-11-22T23:00:00Z', to: '2026-11-23T02:00:00Z' })
    assert.equal(status, 409)
    assert.equal(body['code'], 'schedule.backfill_running')
    assert.match(String(body['detail']), new RegExp(first))
    await start(id, { from: '2026-11-22T23:00:01Z', to: '2026-11-23T02:00:00Z' })
    await start(await create())
  })

  test('of two at once one is taken', async () => {
    const id = await create()
    const answers = await Promise.all([ask(id), ask(id)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409])
    assert.equal((await firesOf(id)).length, 3)
  })
})

describe('who may', () => {
  test('whoever may start runs asks; a viewer sees; a stranger learns nothing', async () => {
    await aTeam(db, 'other')
    const operator = await aMember(db, 'operator', 'operator', 'acme/web')
    const viewer = await aMember(db, 'viewer', 'viewer', 'acme/web')
    const stranger = await aMember(db, 'stranger', 'owner', 'other')
    const id = await create()
    assert.equal((await ask(id, {}, viewer)).status, 403)
    const [hidden, absent] = [await ask(id, {}, stranger), await ask(house.kit.ids.next(), {}, stranger)]
    assert.deepEqual([hidden.status, absent.status], [404, 404])
    const backfill = await start(id, {}, operator)
    const url = `/v1/schedules/${id}/backfills/${backfill}`
    assert.equal((await house.call('GET', url, undefined, viewer)).status, 200)
    assert.equal((await house.call('POST', `${url}/cancel`, undefined, viewer)).status, 403)
    for (const call of [
      () => house.call('GET', url, undefined, stranger),
      () => house.call('GET', `/v1/schedules/${id}/backfills`, undefined, stranger),
      () => house.call('POST', `${url}/cancel`, undefined, stranger),
    ]) {
      const { status, text } = await call()
      assert.equal(status, 404)
      assert.doesNotMatch(text, new RegExp(backfill))
    }
    assert.partialDeepStrictEqual(await progress(id, backfill), { state: 'running' })
  })

  test('a schedule with a repository needs the right to write the pipeline', async () => {
    const operator = await aMember(db, 'plain', 'operator', 'acme/web')
    const id = await create({ repository: 'acme/shop', ref: 'main' })
    const { status, text } = await ask(id, {}, operator)
    assert.equal(status, 403)
    assert.match(text, /pipeline\.write/)
  })

  test('a backfill is found below its own schedule alone', async () => {
    const [id, other] = [await create(), await create()]
    const backfill = await start(id)
    const url = `/v1/schedules/${other}/backfills/${backfill}`
    assert.equal((await house.call('GET', url)).status, 404)
    assert.equal((await house.call('POST', `${url}/cancel`)).status, 404)
    const { body } = await house.call('GET', `/v1/schedules/${other}/backfills`)
    assert.deepEqual(body, [])
  })
})

describe('a backfill', () => {
  test('starts the oldest first, as many at a time as it may, and finishes with its last run', async () => {
    const id = await create({ overlap_policy: 'skip' })
    const backfill = await start(id, { concurrency: 2 })
    const signals = house.queuedSignals()
    await backfiller.advance()
    await backfiller.advance()
    assert.equal(house.queuedSignals(), signals + 1)
    const first = await runsOf(id)
    assert.deepEqual(
      first.map(({ scheduled_at: at, cause, initiator_name: by }) => [at?.toISOString(), cause, by]),
      [
        ['2026-11-20T01:30:00.000Z', 'schedule', 'root'],
        ['2026-11-21T01:30:00.000Z', 'schedule', 'root'],
      ],
    )
    assert.deepEqual(await progress(id, backfill), {
      state: 'running',
      total: 3,
      pending: 1,
      started: 2,
      unfinished: 2,
    })
    await endByCancel(house.kit, first[1]?.id ?? '', 'The test ends it.')
    const awaited = await backfiller.advance()
    assert.deepEqual(await progress(id, backfill), { state: 'running', total: 3, started: 3, unfinished: 2 })
    assert.ok(
      (await runsOf(id)).every((run) => awaited.has(run.id)),
      'the end of each of them matters',
    )
    await endRuns(id)
    await backfiller.advance()
    assert.deepEqual(await progress(id, backfill), { state: 'finished', total: 3, started: 3 })
    assert.equal((await read(id, backfill))['finished_at'], clock.now().toISOString())
    await backfiller.advance()
    assert.equal((await runsOf(id)).length, 3)
  })

  test('hands the nominal instant to its runs, without the spread', async () => {
    const id = await create({ spread: '1h' })
    await start(id, { to: '2026-11-20T23:00:00Z' })
    await backfiller.advance()
    const [[run], [fire]] = [await runsOf(id), await firesOf(id)]
    assert.equal(run?.scheduled_at?.toISOString(), '2026-11-20T01:30:00.000Z')
    assert.ok(fire && fire.planned_at > fire.nominal_at)
    assert.equal(fire.run_id, run?.id)
  })

  test('several processes start each instant once', async () => {
    const id = await create({ cron_expression: '* * * * *' })
    const backfill = await start(id, { from: '2026-11-22T00:00:00Z', to: '2026-11-22T00:39:00Z', concurrency: 3 })
    const processes = [backfiller, createBackfiller(house.means), createBackfiller(house.means)]
    for (let round = 0; round < 40; round += 1) {
      await Promise.all(processes.map((one) => one.advance()))
      const standing = (await runsOf(id)).filter((run) => run.finished_at === null)
      assert.ok(standing.length <= 3, `${standing.length} runs at a time`)
      await endRuns(id)
    }
    assert.deepEqual(await progress(id, backfill), { state: 'finished', total: 40, started: 40 })
    const times = (await runsOf(id)).map((run) => run.scheduled_at?.toISOString())
    assert.equal(new Set(times).size, 40)
    assert.deepEqual(times, times.toSorted())
  })

  test('changes neither the next instant of the schedule nor its version', async () => {
    const id = await create()
    const before = await house.call('GET', `/v1/schedules/${id}`)
    await start(id)
    await backfiller.advance()
    const later = await house.call('GET', `/v1/schedules/${id}`)
    assert.equal(later.headers['etag'], before.headers['etag'])
    for (const field of ['next_fire_at', 'last_fire_at', 'last_run_id']) {
      assert.equal(later.body[field], before.body[field])
    }
  })

  test('is denied for the rest once its requester may not start it any more', async () => {
    const member = await aMember(db, 'leaver', 'viewer', 'acme/web')
    const grant = await aGrant(db, `user:${member.id}`, 'operator', 'acme/web')
    const { authorization } = member.headers
    await house.rooms.access.authenticator.authenticate({ kind: 'bearer', authorization }, '127.0.0.1')
    const id = await create()
    const backfill = await start(id, {}, member)
    await backfiller.advance()
    await endRuns(id)
    const { status } = await house.call('DELETE', `/v1/grants/${grant}`)
    assert.equal(status, 204)
    await backfiller.advance()
    assert.partialDeepStrictEqual(await progress(id, backfill), { total: 3, started: 1, failed: 2 })
    const fires = await firesOf(id)
    assert.deepEqual(
      fires.map(({ outcome, reason }) => [outcome, reason]),
      [
        ['started', null],
        ['denied', 'leaver lacks the permission run.start on acme/web for acme/web/build.'],
        ['denied', 'leaver lacks the permission run.start on acme/web for acme/web/build.'],
      ],
    )
    await backfiller.advance()
    assert.partialDeepStrictEqual(await progress(id, backfill), { state: 'finished' })
  })

  test('is invalid where nobody could start it any more', async () => {
    const id = await create()
    const backfill = await start(id)
    await db
      .updateTable('schedules')
      .set({ variables: { GONE: '1' } })
      .where('id', '=', id)
      .execute()
    await backfiller.advance()
    assert.deepEqual(await progress(id, backfill), { state: 'running', total: 3, failed: 3 })
    const [fire] = await firesOf(id)
    assert.equal(fire?.outcome, 'invalid')
    assert.match(fire.reason ?? '', /GONE/)
    assert.deepEqual(await runsOf(id), [])
  })

  test('starts what the schedule says when the turn of an instant comes', async () => {
    await aPipeline(db, 'acme/web/other')
    const id = await create()
    await start(id)
    const { status, text } = await house.call('PATCH', `/v1/schedules/${id}`, { pipeline: 'acme/web/other' })
    assert.equal(status, 200, text)
    await backfiller.advance()
    assert.equal((await runsOf(id))[0]?.pipeline_identifier, 'acme/web/other')
  })

  test('goes with its schedule', async () => {
    const id = await create()
    await start(id)
    await house.call('DELETE', `/v1/schedules/${id}`)
    await backfiller.advance()
    assert.deepEqual(await runsOf(id), [])
  })

  test('are listed newest first, by pages', async () => {
    const id = await create()
    const first = await start(id, { to: '2026-11-20T12:00:00Z' })
    const second = await start(id, { from: '2026-11-21T00:00:00Z' })
    await backfiller.advance()
    const { body, headers } = await house.call('GET', `/v1/schedules/${id}/backfills?limit=1`)
    assert.partialDeepStrictEqual(body, [{ id: second, total: 2, started: 1, unfinished: 1 }])
    const next = /<([^>]+)>/.exec(String(headers['link']))?.[1] ?? ''
    const page = await house.call('GET', next)
    assert.partialDeepStrictEqual(page.body, [{ id: first, total: 1, started: 1, unfinished: 1 }])
    assert.equal(page.headers['link'], undefined)
  })
})

describe('POST /v1/schedules/{id}/backfills/{backfill_id}/cancel', () => {
  test('starts no more; what runs goes on; once more changes nothing', async () => {
    const id = await create()
    const backfill = await start(id)
    await backfiller.advance()
    const url = `/v1/schedules/${id}/backfills/${backfill}/cancel`
    const { status, body } = await house.call('POST', url)
    assert.equal(status, 200)
    const now = { state: 'canceled', pending: 0, started: 1, unfinished: 1, canceled: 2 }
    assert.partialDeepStrictEqual(body, { ...now, finished_at: clock.now().toISOString() })
    await clock.advance(MINUTE_MS)
    assert.deepEqual((await house.call('POST', url)).body, body)
    const records = await db.selectFrom('audit_records').select('action').where('resource_id', '=', id).execute()
    assert.equal(records.filter(({ action }) => action === 'schedule.backfill_canceled').length, 1)
    await endRuns(id)
    await backfiller.advance()
    assert.deepEqual(await progress(id, backfill), { state: 'canceled', total: 3, started: 1, canceled: 2 })
    assert.equal((await runsOf(id)).length, 1)
  })

  test('leaves a finished one as it is', async () => {
    const id = await create()
    const { body } = await ask(id, { from: '2026-11-20T12:00:00Z', to: '2026-11-20T13:00:00Z' })
    const url = `/v1/schedules/${id}/backfills/${body['id']}/cancel`
    assert.deepEqual((await house.call('POST', url)).body, body)
  })
})

describe('a backfill of a repository', () => {
  const CHECKOUT = { cloneUrl: 'https://git.example/shop.git', commitSha: 'a'.repeat(40), checkoutCredentialRef: null }
  const create3 = () => create({ repository: 'acme/shop', ref: 'main', misfire_grace_seconds: 60 })

  test('looks the commit up at each start', async () => {
    const asked: string[] = []
    findCheckout = async (caller, { ref }) => {
      asked.push(`${caller.name} ${ref}`)
      return CHECKOUT
    }
    const id = await create3()
    await start(id)
    await backfiller.advance()
    await backfiller.settle()
    const [run] = await runsOf(id)
    assert.equal(run?.commit_sha, CHECKOUT.commitSha)
    assert.deepEqual(asked, ['root refs/heads/main'])
  })

  test('waits while it cannot be read, and is invalid where that lasts longer than the grace', async () => {
    let asked = 0
    findCheckout = async () => {
      asked += 1
      return { field: 'ref', problem: 'The repository does not answer.' }
    }
    const id = await create3()
    const backfill = await start(id)
    const pass = async (ms: number) => {
      await clock.advance(ms)
      await backfiller.advance()
      await backfiller.settle()
    }
    await pass(0)
    await pass(1000)
    assert.deepEqual(await progress(id, backfill), { state: 'running', total: 3, pending: 3 })
    assert.equal(asked, 1, 'it is left in peace for a while')
    await pass(30_000)
    assert.equal(asked, 2)
    assert.partialDeepStrictEqual(await progress(id, backfill), { failed: 3 })
    assert.equal((await firesOf(id))[0]?.reason, 'The repository does not answer.')
  })

  test('keeps no other backfill waiting', async () => {
    const gate = Promise.withResolvers<typeof CHECKOUT>()
    findCheckout = () => gate.promise
    const slow = await create3()
    await start(slow)
    const quick = await create()
    await start(quick)
    await backfiller.advance()
    assert.equal((await runsOf(quick)).length, 1)
    gate.resolve(CHECKOUT)
    await backfiller.settle()
    assert.equal((await runsOf(slow)).length, 1)
  })
})
