import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createIds } from '#platform/ids'
import { createTestDatabase, createTestKit, until } from '#platform/testing'
import { aTeam } from '../../../foundation/teams/testing.ts'
import type { Trigger, TriggerIndex } from '../rules/index.ts'
import * as store from '../store/index.ts'
import { aStoredTrigger } from '../testing.ts'
import { keepAtHand, keepIndex } from './keep-index.ts'

const { database } = await createTestDatabase()
const db = database.kysely
const ids = createIds(Date.now)
await aTeam(db, 'acme/web')

function open() {
  const kit = createTestKit(database)
  const copy = keepIndex(kit)
  after(() => copy.close())
  return copy
}

let made = 0
function aTrigger(overrides: Partial<Trigger> = {}): Trigger {
  made += 1
  return aStoredTrigger({ id: ids.next(), name: `t${made}`, ...overrides })
}

async function add(overrides: Partial<Trigger> = {}): Promise<Trigger> {
  const trigger = aTrigger(overrides)
  await store.insertTrigger(db, trigger)
  return trigger
}

function held(index: TriggerIndex, repository = 'acme/widgets'): string[] {
  return index.find(repository).map(({ trigger }) => `${trigger.id} ${trigger.branches} ${trigger.enabled}`)
}

async function stored(repository = 'acme/widgets'): Promise<string[]> {
  const rows = await db.selectFrom('triggers').selectAll().orderBy('id').execute()
  return rows
    .filter((row) => row.repositories.includes(repository))
    .map((row) => `${row.id} ${row.branches} ${row.enabled}`)
}

describe('the index in memory', () => {
  test('takes in what is added, changed and deleted, and keeps what it made ready', async () => {
    const copy = open()
    const [kept, changed, deleted] = [await add(), await add(), await add()]
    const before = (await copy.get()).find('acme/widgets')
    await store.updateTrigger(db, { ...changed, branches: ['main'] })
    await store.deleteTrigger(db, deleted.id)
    const added = await add()
    copy.invalidate()
    const index = await copy.get()
    assert.deepEqual(held(index), await stored())
    assert.equal(
      index.find('acme/widgets').find(({ trigger }) => trigger.id === kept.id),
      before[0],
    )
    assert.deepEqual(
      index.find('acme/widgets').map(({ trigger }) => trigger.id),
      [kept.id, changed.id, added.id],
    )
  })

  test('is read before anybody asks, where it is kept at hand', async () => {
    const copy = open()
    await database.notifications.ready()
    assert.equal(copy.now(), undefined)
    await keepAtHand(copy).run(new AbortController().signal)
    await until(
      'the triggers',
      () => copy.now(),
      (index) => index !== undefined,
    )
  })

  test('takes in a change of many at once', async () => {
    const copy = open()
    await copy.get()
    await sql`
      insert into triggers (id, team_path, name, source_id, source_lost_at, repositories, events, actions, branches, tags,
          paths, condition, pipeline, scope, variables, enabled, owner_kind, owner_id, owner_name, created_at, updated_at,
          labels, draft, commands, commenters, concurrency_group, on_conflict, skip_ci)
        select gen_random_uuid(), team_path, name || n, source_id, source_lost_at, array['acme/many'], events, actions,
          branches, tags, paths, condition, pipeline, scope, variables, enabled, owner_kind, owner_id, owner_name,
          created_at, updated_at, labels, draft, commands, commenters, concurrency_group, on_conflict, skip_ci
        from triggers, generate_series(1, 1300) as n where id = (select min(id::text)::uuid from triggers)`.execute(db)
    copy.invalidate()
    assert.equal(held(await copy.get(), 'acme/many').length, 1300)
    await sql`update triggers set branches = array['x'] where repositories = array['acme/many']`.execute(db)
    copy.invalidate()
    assert.deepEqual(held(await copy.get(), 'acme/many'), await stored('acme/many'))
    assert.deepEqual(
      held(await open().get(), 'acme/many'),
      await stored('acme/many'),
      'a process that starts reads all',
    )
    await sql`delete from triggers where repositories = array['acme/many']`.execute(db)
    copy.invalidate()
    assert.deepEqual(held(await copy.get(), 'acme/many'), [])
  })

  test('is made anew where changes are not recorded far enough back, and after a truncate', async () => {
    const copy = open()
    const trigger = await add()
    await copy.get()
    await store.deleteTrigger(db, trigger.id)
    for (let round = 0; round < 1_001; round += 1) {
      await sql`select raise_triggers_revision()`.execute(db)
    }
    const { rows } = await sql`select 1 from triggers_changes where trigger_id = ${trigger.id}`.execute(db)
    assert.deepEqual(rows, [], 'nobody remembers')
    copy.invalidate()
    assert.deepEqual(held(await copy.get()), await stored())
    const all = await db.selectFrom('triggers').selectAll().execute()
    await sql`truncate triggers`.execute(db)
    copy.invalidate()
    assert.equal((await copy.get()).size, 0)
    assert.ok(all.length > 0)
  })

  test('a transaction that is rolled back changes nothing, and one that lasts long is not missed', async () => {
    const copy = open()
    const before = held(await copy.get())
    await assert.rejects(
      database.transaction(async (tx) => {
        await store.insertTrigger(tx, aTrigger())
        throw new Error('no')
      }),
      /no/,
    )
    copy.invalidate()
    assert.deepEqual(held(await copy.get()), before)
    const late = aTrigger()
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = database.transaction(async (tx) => {
      await store.insertTrigger(tx, late)
      begun.resolve()
      await release.promise
    })
    await begun.promise
    copy.invalidate()
    assert.deepEqual(held(await copy.get()), before)
    const quick = add()
    release.resolve()
    await Promise.all([slow, quick])
    copy.invalidate()
    assert.deepEqual(held(await copy.get()), await stored())
  })

  test('two processes with many writers end with what the tables say', async () => {
    const copies = [open(), open()]
    await Promise.all(copies.map((copy) => copy.get()))
    await database.notifications.ready()
    const mine: Trigger[] = []
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let round = 0; round < 25; round += 1) {
          const victim = round % 3 === 2 ? mine.pop() : undefined
          if (victim) await store.deleteTrigger(db, victim.id)
          else if (round % 3 === 1 && mine[0]) {
            await store.updateTrigger(db, { ...mine[0], branches: [`w${writer}-${round}`] })
          } else mine.push(await add())
          const copy = copies[writer % 2]
          if (round % 4 === 0) copy?.invalidate()
          await copy?.get()
        }
      }),
    )
    for (const copy of copies) {
      await until(
        'the last change',
        async () => ({ held: held(await copy.get()), stored: await stored() }),
        (both) => JSON.stringify(both.held) === JSON.stringify(both.stored),
      )
    }
  })
})
