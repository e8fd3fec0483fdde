import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createMetrics } from '#platform/metrics'
import { until } from '#platform/testing'
import { aDocument, aPipeline } from '../../../catalog/pipelines/testing.ts'
import { beginRun, endByCancel, endRun } from '../../../execution/runs/testing.ts'
import { aGrant, aMember } from '../../../foundation/access/testing.ts'
import { aSecret } from '../../../foundation/secrets/testing.ts'
import { anEnvironment } from '../../../foundation/teams/testing.ts'
import { createBackfiller } from '../actions/start-backfills.ts'
import { SCHEDULE_NOT_FIRED } from '../facts.ts'
import { scheduleJobs } from '../jobs.ts'
import { createScheduleMetrics } from '../metrics.ts'
import { PIPELINE, SCOPE } from '../testing.ts'
import { createScheduler } from './scheduler.ts'
import { HOUR_MS, MINUTE_MS, openScheduling } from './testing.ts'

/** What becomes of an instant: one test for each outcome and what leads to it. */

const scheduling = await openScheduling()
const { house, clock, create, read, fires, outcomes, runs, testDatabase } = scheduling
after(() => house.close())
const db = testDatabase.database.kysely
const { scheduler, kit, rooms } = house

async function pass(ms: number): Promise<void> {
  await clock.advance(ms)
  while ((await scheduler.fire()).more);
}

/** Ends what an earlier test left, so that nothing else is due. */
async function only(overrides: Record<string, unknown>): Promise<string> {
  await db.deleteFrom('schedules').execute()
  clock.set(new Date(Math.ceil((clock.now().getTime() + 1) / HOUR_MS) * HOUR_MS))
  return create(overrides)
}

async function factsOf(id: string) {
  const rows = await db.selectFrom('facts').select(['kind', 'payload']).orderBy('id').execute()
  return rows.flatMap(({ kind, payload }) => {
    const told = JSON.stringify(payload)
    return kind === SCHEDULE_NOT_FIRED.kind && told.includes(id) ? [JSON.parse(told)] : []
  })
}

describe('an instant that the scheduler comes to late', () => {
  test('fires within the grace', async () => {
    const id = await only({ cron_expression: '1 * * * *', misfire_grace_seconds: 120 })
    await pass(3 * MINUTE_MS)
    const [fire] = await fires(id)
    assert.equal(fire?.outcome, 'started')
    assert.equal(fire?.fired_at?.getTime(), (fire?.planned_at.getTime() ?? 0) + 2 * MINUTE_MS)
  })

  test('is missed after it, with a reason, a fact and no run', async () => {
    const id = await only({ cron_expression: '1 * * * *', misfire_grace_seconds: 119 })
    await pass(3 * MINUTE_MS)
    const [fire, ...others] = await fires(id)
    assert.deepEqual(others, [])
    assert.equal(fire?.outcome, 'missed')
    assert.match(fire?.reason ?? '', /2 min late.*grace is 1 min 59 s.*skip/)
    assert.deepEqual(await runs(id), [])
    const schedule = await read(id)
    assert.equal(schedule['last_outcome'], 'missed')
    assert.equal(schedule['last_reason'], fire?.reason)
    const facts = await factsOf(id)
    assert.deepEqual(
      facts.map(({ fire_id, outcome }) => [fire_id, outcome]),
      [[fire?.id, 'missed']],
    )
    await pass(MINUTE_MS)
    assert.equal((await factsOf(id)).length, 1, 'the fact is told once')
  })

  test('skip makes up for none, last for the newest, all for each in the window', async () => {
    await only({})
    const policy = (misfire_policy: string) =>
      create({
        cron_expression: '*/10 * * * *',
        misfire_policy,
        misfire_grace_seconds: 0,
        misfire_window_seconds: 1800,
      })
    const [skip, last, all] = [await policy('skip'), await policy('last'), await policy('all')]
    await pass(HOUR_MS - MINUTE_MS)
    const started = async (id: string) =>
      (await fires(id)).filter((fire) => fire.outcome === 'started').map((fire) => fire.planned_at.getUTCMinutes())
    assert.deepEqual([await started(skip), await started(last), await started(all)], [[], [50], [30, 40, 50]])
    for (const id of [skip, last, all]) assert.equal((await fires(id)).length, 5)
  })

  test('a hundred rows hold what a long downtime missed, the oldest in one; nothing is left out', async () => {
    const id = await only({ misfire_grace_seconds: 0 })
    await pass(10 * HOUR_MS + 30_000)
    const rows = await fires(id)
    assert.equal(rows.length, 100)
    assert.equal(
      rows.reduce((sum, row) => sum + row.missed_count, 0),
      600,
    )
    assert.equal((await factsOf(id)).length, 100)
  })
})

describe('while an earlier run goes on', () => {
  const started = async (id: string) => (await runs(id)).map((run) => run.status)

  test('allow starts each', async () => {
    const id = await only({ overlap_policy: 'allow' })
    await pass(MINUTE_MS)
    await pass(MINUTE_MS)
    assert.deepEqual(await started(id), ['queued', 'queued'])
  })

  test('skip starts none, names the run, and starts again when it has ended', async () => {
    const id = await only({ overlap_policy: 'skip' })
    await pass(MINUTE_MS)
    await pass(MINUTE_MS)
    const [first, second] = await fires(id)
    assert.equal(second?.outcome, 'skipped_overlap')
    assert.ok(second?.reason?.includes(first?.run_id ?? 'none'))
    assert.deepEqual(
      (await factsOf(id)).map(({ outcome }) => outcome),
      ['skipped_overlap'],
    )
    await endByCancel(kit, first?.run_id ?? '', 'enough')
    await pass(MINUTE_MS)
    assert.deepEqual(await started(id), ['canceled', 'queued'])
  })

  test('queue_one lets one wait in line behind it, and skips more', async () => {
    const id = await only({ overlap_policy: 'queue_one' })
    await pass(MINUTE_MS)
    const [first] = await runs(id)
    await beginRun(kit.database, rooms.runs.progress, first?.id ?? '')
    await pass(MINUTE_MS)
    await pass(MINUTE_MS)
    const [, second, ...others] = await runs(id)
    assert.deepEqual(others, [])
    assert.equal(second?.status, 'queued')
    assert.equal(second?.withheld, 'group', 'it waits for its turn')
    assert.deepEqual(
      (await fires(id)).map((fire) => fire.outcome),
      ['started', 'started', 'skipped_overlap'],
    )
  })

  test('queue_one lets one wait behind runs by hand, too, until the last of them has finished', async () => {
    const id = await only({ overlap_policy: 'queue_one' })
    for (const _ of [1, 2]) {
      const { status, body } = await house.call('POST', `/v1/schedules/${id}/run`)
      assert.equal(status, 202)
      await beginRun(kit.database, rooms.runs.progress, String(body['run_id']))
    }
    const byHand = await runs(id)
    await pass(MINUTE_MS)
    const scheduled = async () => (await runs(id)).find((run) => byHand.every((other) => other.id !== run.id))
    assert.deepEqual([(await scheduled())?.status, (await scheduled())?.withheld], ['queued', 'group'])
    const [first, last] = byHand
    await endRun(kit.database, rooms.runs.progress, first?.id ?? '', 'success')
    await rooms.runs.progress.releaseGroups()
    assert.equal((await scheduled())?.withheld, 'group', 'the other one goes on')
    await endRun(kit.database, rooms.runs.progress, last?.id ?? '', 'success')
    await rooms.runs.progress.releaseGroups()
    assert.equal((await scheduled())?.withheld, null)
  })

  test('queue_one leaves a pipeline in its own group', async () => {
    const own = 'concurrency: { group: mine, on_conflict: queue }\n'
    await aPipeline(db, 'acme/web/grouped', aDocument('grouped', own))
    const id = await only({ overlap_policy: 'queue_one', pipeline: 'acme/web/grouped' })
    await pass(MINUTE_MS)
    const [first] = await runs(id)
    await beginRun(kit.database, rooms.runs.progress, first?.id ?? '')
    await pass(MINUTE_MS)
    assert.deepEqual(
      (await runs(id)).map((run) => [run.concurrency_group, run.withheld]),
      [
        ['mine', null],
        ['mine', 'group'],
      ],
    )
  })

  test('cancel_running ends it and starts', async () => {
    const id = await only({ overlap_policy: 'cancel_running' })
    await pass(MINUTE_MS)
    await pass(MINUTE_MS)
    assert.deepEqual(await started(id), ['canceled', 'queued'])
    assert.match((await runs(id))[0]?.reason ?? '', /fired again/)
  })

  test('cancel_running starts the newest alone of several that are due at once', async () => {
    const id = await only({ overlap_policy: 'cancel_running' })
    await pass(3 * MINUTE_MS)
    assert.deepEqual(
      (await fires(id)).map((fire) => fire.outcome),
      ['skipped_overlap', 'skipped_overlap', 'started'],
    )
  })

  test("runs of a backfill stand in nobody's way, and nothing cuts them short", async () => {
    const backfiller = createBackfiller(house.means)
    for (const policy of ['skip', 'queue_one', 'cancel_running']) {
      const id = await only({ overlap_policy: policy })
      const at = clock.now().toISOString()
      const asked = await house.call('POST', `/v1/schedules/${id}/backfill`, { from: at, to: at })
      assert.equal(asked.status, 202, asked.text)
      await backfiller.advance()
      await pass(MINUTE_MS)
      assert.deepEqual(await started(id), ['queued', 'queued'], policy)
      assert.deepEqual(
        (await fires(id)).map((fire) => fire.outcome),
        ['started'],
        policy,
      )
    }
  })
})

describe('an owner', () => {
  let named = 0
  async function anOwner(): Promise<Awaited<ReturnType<typeof aMember>>> {
    named += 1
    return aMember(db, `owner${named}`, 'owner', 'acme/web')
  }

  async function refused(id: string, outcome: 'denied' | 'invalid'): Promise<string> {
    await pass(MINUTE_MS)
    const fire = (await fires(id)).at(-1)
    assert.equal(fire?.outcome, outcome, fire?.reason ?? '')
    assert.equal((await runs(id)).length, 0)
    const { last_outcome, last_reason, enabled, next_fire_at } = await read(id)
    assert.deepEqual([last_outcome, last_reason, enabled], [outcome, fire?.reason, true])
    assert.ok(next_fire_at, 'it goes on: the right may come back')
    assert.deepEqual(
      (await factsOf(id)).map((fact) => fact.outcome),
      [outcome],
    )
    return fire?.reason ?? ''
  }

  test('who is disabled starts nothing', async () => {
    await only({})
    const owner = await anOwner()
    const id = await create({}, owner.headers)
    await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', owner.id).execute()
    await until(
      'the snapshot',
      () => rooms.access.subject('user', owner.id),
      (subject) => subject === undefined,
    )
    assert.match(await refused(id, 'denied'), /does not exist any more, or is disabled/)
  })

  test('who lost run.start starts nothing, and starts again with it', async () => {
    await only({})
    const owner = await anOwner()
    const id = await create({}, owner.headers)
    await db.updateTable('grants').set({ role: 'viewer' }).where('user_id', '=', owner.id).execute()
    const mayStart = async () => (await rooms.access.subject('user', owner.id))?.can('run.start', 'acme/web')
    await until('the snapshot', mayStart, (may) => may === false)
    assert.match(await refused(id, 'denied'), /lacks the permission run\.start on acme\/web/)
    await aGrant(db, `user:${owner.id}`, 'owner', 'acme/web')
    await until('the snapshot', mayStart, (may) => may === true)
    await pass(MINUTE_MS)
    assert.equal((await runs(id)).length, 1)
  })

  test('who may not use the scope any more starts nothing', async () => {
    await only({})
    const owner = await anOwner()
    await anEnvironment(db, 'acme/web/production')
    const verdict = async () => {
      const caller = await rooms.access.subject('user', owner.id)
      return caller && (await rooms.access.snapshot()).judgeScope(caller, 'acme/web/production')
    }
    await until('the snapshot', verdict, (judged) => judged === 'usable')
    const id = await create({ scope: 'acme/web/production' }, owner.headers)
    await db.updateTable('environments').set({ protected: true }).where('name', '=', 'production').execute()
    await until('the snapshot', verdict, (judged) => judged !== undefined && judged !== 'usable')
    assert.match(await refused(id, 'denied'), /may not use the scope acme\/web\/production/)
  })

  test('whose pipeline is gone starts nothing: it is invalid', async () => {
    const { id: pipelineId } = await aPipeline(db, 'acme/web/gone')
    const id = await only({ pipeline: 'acme/web/gone' })
    await db.deleteFrom('pipelines').where('id', '=', pipelineId).execute()
    await until(
      'the lookup',
      () => rooms.pipelines.lookup('acme/web/gone'),
      (found) => found === undefined,
    )
    assert.match(await refused(id, 'invalid'), /acme\/web\/gone does not exist/)
  })

  test('whose pipeline no longer declares a variable starts nothing: it is invalid', async () => {
    const { id: pipelineId } = await aPipeline(
      db,
      'acme/web/varied',
      aDocument('varied', 'variables: { REGION: eu }\n'),
    )
    const id = await only({ pipeline: 'acme/web/varied', variables: { REGION: 'us' } })
    await db.deleteFrom('pipelines').where('id', '=', pipelineId).execute()
    await aPipeline(db, 'acme/web/varied')
    await until(
      'the lookup',
      () => rooms.pipelines.lookup('acme/web/varied'),
      (found) => found !== undefined && found.pipelineId !== pipelineId,
    )
    assert.match(await refused(id, 'invalid'), /REGION/)
  })

  test('whose pipeline names a secret that is gone starts nothing: it is invalid', async () => {
    await aSecret(kit, db, { teamPath: 'acme/web', name: 'npm', value: 'hush' })
    await aPipeline(db, 'acme/web/secretive', aDocument('secretive', 'secrets: { NPM: acme/web/npm }\n'))
    const id = await only({ pipeline: 'acme/web/secretive' })
    await db.deleteFrom('secrets').where('name', '=', 'npm').execute()
    assert.match(await refused(id, 'invalid'), /secrets\.NPM/)
  })
})

describe('the end of a schedule', () => {
  const at = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

  test('a one-time schedule fires once, is disabled, and keeps its result', async () => {
    await only({})
    const id = await create({ schedule_kind: 'one_time', cron_expression: null, run_at: at(MINUTE_MS) })
    await pass(MINUTE_MS)
    await pass(HOUR_MS)
    assert.deepEqual(
      (await fires(id)).map((fire) => fire.outcome),
      ['started'],
    )
    const { enabled, next_fire_at, last_outcome, last_run_id } = await read(id)
    assert.deepEqual([enabled, next_fire_at, last_outcome], [false, null, 'started'])
    assert.equal(last_run_id, (await runs(id))[0]?.id)
  })

  test('a one-time schedule that was missed is over too, and says so', async () => {
    await only({})
    const id = await create({ schedule_kind: 'one_time', cron_expression: null, run_at: at(MINUTE_MS) })
    await pass(HOUR_MS)
    const { enabled, last_outcome } = await read(id)
    assert.deepEqual([enabled, last_outcome], [false, 'missed'])
  })

  test('nothing fires after not_after', async () => {
    await only({})
    const id = await create({ not_after: at(MINUTE_MS) })
    await pass(MINUTE_MS)
    await pass(MINUTE_MS)
    assert.equal((await fires(id)).length, 1)
    assert.equal((await read(id))['next_fire_at'], null)
  })

  test('where new rules of a zone moved the stored instant, it fires at the new one', async () => {
    const id = await only({ schedule_kind: 'one_time', cron_expression: null, run_at: at(2 * HOUR_MS + MINUTE_MS) })
    const stored = (await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
      .next_fire_at
    // As it was under the old rules: an hour earlier, and on another schedule an hour later.
    const earlier = new Date((stored?.getTime() ?? 0) - HOUR_MS)
    await db.updateTable('schedules').set({ next_fire_at: earlier }).where('id', '=', id).execute()
    clock.set(earlier)
    await scheduler.fire()
    assert.deepEqual(await fires(id), [])
    const { enabled, next_fire_at } = await read(id)
    assert.deepEqual([enabled, next_fire_at], [true, stored?.toISOString()])
    const later = new Date((stored?.getTime() ?? 0) + 2 * MINUTE_MS)
    await db.updateTable('schedules').set({ next_fire_at: later }).where('id', '=', id).execute()
    clock.set(later)
    await scheduler.fire()
    const [fire] = await fires(id)
    assert.deepEqual([fire?.outcome, fire?.planned_at], ['started', stored])
  })

  test('a timing that this version cannot read is told once, and rests', async () => {
    const id = await only({})
    await db.updateTable('schedules').set({ cron_expression: '@reboot' }).where('id', '=', id).execute()
    await pass(MINUTE_MS)
    await pass(MINUTE_MS)
    const [fire, ...others] = await fires(id)
    assert.deepEqual(others, [])
    assert.equal(fire?.outcome, 'invalid')
    assert.match(fire?.reason ?? '', /can no longer be read: cron_expression/)
  })
})

test('series tell of outcomes, of lateness, and of what waits', async () => {
  await only({ cron_expression: '1 * * * *' })
  await create({ cron_expression: '1 * * * *', misfire_grace_seconds: 0 })
  const metrics = createMetrics()
  const counted = createScheduler(house.means, createScheduleMetrics({ ...kit, metrics }))
  const lines = async () => (await metrics.render()).text
  assert.match(await lines(), /^signalbox_schedule_lag_seconds 0$/m)
  await clock.advance(MINUTE_MS + 4000)
  assert.match(await lines(), /^signalbox_schedule_lag_seconds 4$/m)
  await counted.fire()
  const text = await lines()
  assert.match(text, /^signalbox_schedule_lag_seconds 0$/m)
  assert.match(text, /^signalbox_schedule_fires_total\{outcome="started"\} 1$/m)
  assert.match(text, /^signalbox_schedule_fires_total\{outcome="missed"\} 1$/m)
  assert.match(text, /^signalbox_schedule_lateness_seconds_sum 4$/m)
  assert.match(text, /^signalbox_schedule_lateness_seconds_count 1$/m)
})

test('old fires and backfills that are over are dropped by age, with their runs kept', async () => {
  const id = await only({})
  await pass(MINUTE_MS)
  const at = clock.now().toISOString()
  const asked = { from: at, to: at, only_missing: false }
  const { body: backfill } = await house.call('POST', `/v1/schedules/${id}/backfill`, asked)
  await house.call('POST', `/v1/schedules/${id}/backfills/${backfill['id']}/cancel`)
  const kept = async () => {
    const { body } = await house.call('GET', `/v1/schedules/${id}/backfills`)
    return Object.values(body).map((one) => [Object(one)['state'], Object(one)['total']])
  }
  const [job] = scheduleJobs(house.means)
  const drop = async () => job?.run(undefined, new AbortController().signal)
  await clock.advance(90 * 24 * HOUR_MS - 1)
  await drop()
  assert.equal((await fires(id)).length, 1)
  assert.deepEqual(await kept(), [['canceled', 1]])
  await clock.advance(2)
  await drop()
  assert.equal((await fires(id)).length, 0)
  assert.deepEqual(await kept(), [])
  assert.equal((await runs(id)).length, 1)
})

test('a run carries what the schedule says', async () => {
  await aPipeline(db, 'acme/web/told', aDocument('told', 'variables: { REGION: eu }\n'))
  const id = await only({ pipeline: 'acme/web/told', variables: { REGION: 'us' }, run_team_path: 'acme' })
  await pass(MINUTE_MS)
  const [run] = await runs(id)
  assert.deepEqual(
    [run?.cause, run?.scope, run?.variables, run?.run_team_path, run?.initiator_name],
    ['schedule', SCOPE, { REGION: 'us' }, 'acme', 'root'],
  )
  assert.notEqual(PIPELINE, run?.pipeline_identifier)
  assert.deepEqual(await outcomes(id), [`${run?.scheduled_at?.toISOString().slice(11, 19)} started`])
})
