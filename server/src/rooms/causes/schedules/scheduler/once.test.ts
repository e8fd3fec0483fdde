import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openDatabase } from '#platform/database'
import { platformProblem } from '#platform/problems'
import { startOutage, until } from '#platform/testing'
import type { Means } from '../means.ts'
import { fireLoop } from './fire-loop.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { assertEachOnce, HOUR_MS, MINUTE_MS, openScheduling } from './testing.ts'

/** Each instant once, whatever goes wrong and however many try. */

const scheduling = await openScheduling()
const { house, clock, create, read, fires, outcomes, runs, testDatabase } = scheduling
const { means, scheduler } = house
const db = testDatabase.database.kysely
const second = openDatabase({ url: testDatabase.url, poolSize: 4, log: means.log, clock })
after(async () => {
  await second.close()
  await house.close()
})

async function reset(): Promise<void> {
  await db.deleteFrom('schedules').execute()
  clock.set(new Date(Math.ceil((clock.now().getTime() + 1) / HOUR_MS) * HOUR_MS))
}

/** A scheduler that does something between its look and its commit, once for each pipeline and owner. */
function interrupted(between: () => Promise<void>, own: Partial<Means> = {}): Scheduler {
  const { runs: door } = means
  return createScheduler({
    ...means,
    ...own,
    runs: {
      ...door,
      async judgeStart(...asked) {
        await between()
        return door.judgeStart(...asked)
      },
    },
  })
}

async function fireAll(one: Scheduler): Promise<void> {
  while ((await one.fire()).more);
}

describe('two schedulers at once', () => {
  test('fire each instant once', async () => {
    const other = createScheduler({ ...means, database: second })
    const expressions = ['* * * * *', '*/30 * * * * *', '*/2 * * * *', 'H/5 * * * *']
    const policies = ['allow', 'skip', 'queue_one', 'cancel_running']
    const many = fc.array(
      fc.record({
        cron_expression: fc.constantFrom(...expressions),
        overlap_policy: fc.constantFrom(...policies),
        misfire_policy: fc.constantFrom('skip', 'last', 'all'),
        misfire_grace_seconds: fc.constantFrom(0, 60, 300),
      }),
      { minLength: 5, maxLength: 20 },
    )
    const steps = fc.array(fc.constantFrom(10_000, 30_000, MINUTE_MS, 7 * MINUTE_MS), { minLength: 2, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(many, steps, async (definitions, moves) => {
        await reset()
        await db.deleteFrom('runs').where('schedule_id', 'is not', null).execute()
        const ids = await Promise.all(definitions.map((definition) => create(definition)))
        for (const move of moves) {
          await clock.advance(move)
          await Promise.all([fireAll(scheduler), fireAll(other), fireAll(scheduler)])
        }
        // One that was locked at each look of both is left for the next look.
        await fireAll(scheduler)
        for (const [at, id] of ids.entries()) {
          const decided = await fires(id)
          assertEachOnce(decided, await runs(id))
          const step = definitions[at]?.cron_expression === '*/30 * * * * *' ? 30_000 : undefined
          if (step === undefined) continue
          const passed = moves.reduce((sum, move) => sum + move, 0)
          const counted = decided.reduce((sum, fire) => sum + fire.missed_count, 0)
          assert.equal(counted, Math.floor(passed / step), 'none is left out')
        }
      }),
      { numRuns: 8 },
    )
  })

  test('the later one leaves out what the earlier one fired after both had looked', async () => {
    await reset()
    const id = await create()
    await clock.advance(MINUTE_MS)
    const late = interrupted(() => fireAll(scheduler))
    await late.fire()
    assert.equal((await fires(id)).length, 1)
    assertEachOnce(await fires(id), await runs(id))
  })
})

describe('a schedule that somebody writes between the look and the commit', () => {
  async function written(change: (id: string) => Promise<unknown>): Promise<string> {
    await reset()
    const id = await create()
    await clock.advance(MINUTE_MS)
    await interrupted(async () => void (await change(id))).fire()
    return id
  }

  test('does not fire when it was disabled, and its record says so', async () => {
    const id = await written((of) => house.call('POST', `/v1/schedules/${of}/disable`))
    assert.deepEqual(
      (await fires(id)).map(({ outcome, run_id, reason }) => ({ outcome, run_id, reason })),
      [{ outcome: 'missed', run_id: null, reason: 'The schedule was disabled before this instant fired.' }],
    )
    assert.equal((await read(id))['enabled'], false)
  })

  test('does not fire when it was deleted', async () => {
    const id = await written((of) => house.call('DELETE', `/v1/schedules/${of}`))
    assert.deepEqual(await runs(id), [])
  })

  test('fires at the next look with what it says then', async () => {
    const id = await written((of) => house.call('PATCH', `/v1/schedules/${of}`, { overlap_policy: 'skip' }))
    assert.deepEqual(await outcomes(id), [])
    await scheduler.fire()
    assert.equal((await fires(id)).length, 1)
  })

  test('a request to run it now does not hold it up', async () => {
    await reset()
    const id = await create()
    await clock.advance(MINUTE_MS)
    await testDatabase.database.transaction(async (tx) => {
      // What refers to a row holds it like this until its transaction ends.
      await sql`select 1 from schedules where id = ${id} for key share`.execute(tx)
      await createScheduler({ ...means, database: second }).fire()
    })
    assert.equal((await fires(id)).length, 1)
  })
})

describe('a clock that is set', () => {
  test('back fires nothing twice, and goes on where it was', async () => {
    await reset()
    const id = await create()
    const begun = clock.now().getTime()
    await clock.advance(MINUTE_MS)
    await scheduler.fire()
    clock.set(new Date(begun - HOUR_MS))
    await scheduler.fire()
    await house.call('PATCH', `/v1/schedules/${id}`, { cron_expression: '*/1 * * * *' })
    await scheduler.fire()
    clock.set(new Date(begun + 2 * MINUTE_MS))
    await scheduler.fire()
    assert.equal((await fires(id)).length, 2)
    assertEachOnce(await fires(id), await runs(id))
  })

  test('back and forth with writes between fires nothing twice', async () => {
    const move = fc.constantFrom(-HOUR_MS, -MINUTE_MS, -1000, 1000, MINUTE_MS, 2 * MINUTE_MS, HOUR_MS)
    const act = fc.constantFrom('fire', 'patch', 'disable', 'enable', 'run')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(move, act), { minLength: 3, maxLength: 12 }), async (script) => {
        await reset()
        const id = await create({ misfire_policy: 'all' })
        let turn = 0
        for (const [by, what] of script) {
          clock.set(new Date(clock.now().getTime() + by))
          turn += 1
          const url = `/v1/schedules/${id}`
          if (what === 'patch')
            await house.call('PATCH', url, { cron_expression: turn % 2 ? '*/1 * * * *' : '* * * * *' })
          else if (what !== 'fire') await house.call('POST', `${url}/${what}`)
          await fireAll(scheduler)
        }
        const scheduled = await fires(id)
        const instants = scheduled.map((fire) => fire.planned_at.getTime())
        assert.equal(new Set(instants).size, instants.length)
        const requested = (await runs(id)).length - scheduled.filter((fire) => fire.run_id !== null).length
        assert.equal(requested, script.filter(([, what]) => what === 'run').length)
      }),
      { numRuns: 15 },
    )
  })

  test('an instant that was decided before is left out, and those beside it fire', async () => {
    await reset()
    const id = await create()
    await clock.advance(2 * MINUTE_MS)
    await fireAll(scheduler)
    await clock.advance(MINUTE_MS)
    // As no write of ours does: back to an instant that has fired.
    await db
      .updateTable('schedules')
      .set({ next_fire_at: new Date(clock.now().getTime() - MINUTE_MS) })
      .where('id', '=', id)
      .execute()
    const others = await Promise.all([create({ cron_expression: '*/1 * * * *' }), create()])
    await clock.advance(MINUTE_MS)
    await fireAll(scheduler)
    assert.equal((await fires(id)).length, 4)
    assertEachOnce(await fires(id), await runs(id))
    for (const other of others) assert.equal((await fires(other)).length, 1)
  })
})

describe('a schedule that cannot be fired', () => {
  test('keeps no other from firing, is tried again, and is missed after its grace', async () => {
    await reset()
    const ids: string[] = []
    for (let at = 0; at < 9; at += 1) ids.push(await create({ misfire_grace_seconds: 45 }))
    const [poisoned = ''] = ids.splice(4, 1)
    await sql`
      alter table runs add constraint poisoned check (schedule_id is distinct from ${sql.lit(poisoned)}::uuid)`.execute(
      db,
    )
    await clock.advance(MINUTE_MS)
    await fireAll(scheduler)
    for (const id of ids) assert.equal((await fires(id)).length, 1)
    assert.deepEqual(await fires(poisoned), [])
    const row = await db.selectFrom('schedules').selectAll().where('id', '=', poisoned).executeTakeFirstOrThrow()
    assert.equal(row.retry_at?.getTime(), clock.now().getTime() + 30_000)
    assert.match(row.retry_reason ?? '', /log of the server/)
    await fireAll(scheduler)
    await clock.advance(50_000)
    await fireAll(scheduler)
    await sql`alter table runs drop constraint poisoned`.execute(db)
    const [fire] = await fires(poisoned)
    assert.equal(fire?.outcome, 'missed')
    assert.match(fire?.reason ?? '', /tried before: It could not be fired/)
  })

  test('nor one that cannot even be judged', async () => {
    await reset()
    const [poisoned, sound] = [await create({ variables: {} }), await create({ timezone: 'Europe/Berlin' })]
    await db.updateTable('schedules').set({ owner_name: 'poison' }).where('id', '=', poisoned).execute()
    const { runs: door } = means
    const faulty = createScheduler({
      ...means,
      runs: {
        ...door,
        async judgeStart(subject, name, wanted) {
          if (name === 'poison') throw new TypeError('what is stored makes no sense')
          return door.judgeStart(subject, name, wanted)
        },
      },
    })
    await clock.advance(MINUTE_MS)
    await fireAll(faulty)
    assert.equal((await fires(sound)).length, 1)
    assert.equal((await fires(poisoned)).length, 0)
    await clock.advance(30_000)
    await fireAll(scheduler)
    assert.equal((await fires(poisoned)).length, 1)
  })

  test('none is at fault where rights cannot be known: all wait, and none is put off', async () => {
    await reset()
    const id = await create()
    const unknowing = interrupted(async () => {
      throw platformProblem('authorization_unavailable', 'Who may do what cannot be known right now.')
    })
    await clock.advance(MINUTE_MS)
    await assert.rejects(unknowing.fire(), { code: 'authorization_unavailable' })
    const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(row.retry_at, null)
    await scheduler.fire()
    assert.equal((await fires(id)).length, 1)
  })

  test('hundreds that wait for a repository keep no other waiting', async () => {
    await reset()
    const one = await create()
    await sql`
      insert into schedules select (json_populate_record(schedules, json_build_object('id', gen_random_uuid(),
        'name', 'waits' || at, 'repository', 'acme/away', 'ref', 'main', 'next_fire_at', next_fire_at - interval '1 ms'))).*
      from schedules, generate_series(1, 600) as at where id = ${one}`.execute(db)
    await clock.advance(MINUTE_MS)
    const door = means.runs
    const never = Promise.withResolvers<{ field: 'ref'; problem: string }>()
    const stuck = createScheduler({ ...means, runs: { ...door, findCheckout: () => never.promise } })
    await stuck.fire()
    assert.equal((await fires(one)).length, 1)
    never.resolve({ field: 'ref', problem: 'too late' })
    await stuck.settle()
  })
})

describe('the database', () => {
  test('that goes away in the middle loses and doubles nothing', async () => {
    await reset()
    const ids = [await create(), await create()]
    await clock.advance(MINUTE_MS)
    const outage = Promise.withResolvers<Awaited<ReturnType<typeof startOutage>>>()
    const cut = interrupted(async () => outage.resolve(await startOutage(testDatabase.url)))
    await assert.rejects(cut.fire())
    await (await outage.promise).end()
    await until(
      'the database',
      () =>
        testDatabase.database.ping(1000).then(
          () => true,
          () => false,
        ),
      Boolean,
    )
    for (const id of ids) assert.deepEqual(await fires(id), [])
    await until(
      'the instants',
      async () => {
        await scheduler.fire().catch(() => undefined)
        return (await Promise.all(ids.map(fires))).map((of) => of.length)
      },
      (counts) => counts.every((count) => count === 1),
    )
    for (const id of ids) assertEachOnce(await fires(id), await runs(id))
  })
})

describe('the loop', () => {
  async function looping(own: Partial<Means>, work: () => Promise<void>): Promise<void> {
    await reset()
    await clock.advance(0)
    const ending = new AbortController()
    const loop = fireLoop({ ...means, ...own }, createScheduler(means))
    const ended = loop.run(ending.signal)
    await work()
    ending.abort()
    await ended
  }
  const fired = (id: string) =>
    until(
      'the fire',
      () => fires(id),
      (found) => found.length > 0,
    )

  test('is woken by a schedule that somebody makes', async () => {
    await looping({}, async () => {
      await testDatabase.database.notifications.ready()
      const due = await create()
      clock.set(new Date(clock.now().getTime() + MINUTE_MS))
      await until(
        'the loop to hear of another schedule',
        async () => {
          await create({ cron_expression: '0 0 1 1 *' })
          return fires(due)
        },
        (found) => found.length > 0,
      )
    })
  })

  test('looks each second where the notification is lost, and also for a clock that jumped ahead', async () => {
    const deaf = {
      ...means.database,
      notifications: { ...means.database.notifications, listen: () => () => undefined },
    }
    await looping({ database: deaf }, async () => {
      const first = await create()
      clock.set(new Date(clock.now().getTime() + MINUTE_MS))
      await untilFired(first, 1000)
      // The loop has seen that nothing is due for a minute; the test turns its timers by half of that.
      const due = await create({ cron_expression: '0 * * * *' })
      clock.set(new Date(clock.now().getTime() + HOUR_MS))
      await untilFired(due, 30)
    })
  })

  /** Turns the timers by so many seconds at most. */
  async function untilFired(id: string, seconds: number): Promise<void> {
    let left = seconds
    await until(
      'the next look',
      async () => {
        if (left > 0) await clock.advance(1000)
        left -= 1
        return fires(id)
      },
      (found) => found.length > 0,
    )
  }

  test('goes on after the database was away', async () => {
    await looping({}, async () => {
      const due = await create()
      const outage = await startOutage(testDatabase.url)
      await clock.advance(2000)
      await outage.end()
      clock.set(new Date(clock.now().getTime() + MINUTE_MS))
      await until(
        'the fire',
        async () => {
          await clock.advance(1000)
          return fires(due).catch(() => [])
        },
        (found) => found.length > 0,
      )
      await fired(due)
    })
  })
})
