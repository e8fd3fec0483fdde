import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestClock, createTestDatabase, until } from '#platform/testing'
import { CopyStale } from './answered-within.ts'
import type { Database } from './database.ts'
import { createFreshCopy } from './fresh-copy.ts'
import type { Queryable } from './queryable.ts'

const { database } = await createTestDatabase()
await sql`create table numbers (value integer not null, revision bigint not null)`.execute(database.kysely)
await sql`insert into numbers values (0, 0)`.execute(database.kysely)

async function read(db: Queryable): Promise<{ value: number; revision: number }> {
  const { rows } = await sql<{ value: number; revision: number }>`select value, revision from numbers`.execute(db)
  const [row] = rows
  if (!row) throw new Error('no row')
  return row
}

async function change(value: number, told: boolean): Promise<void> {
  await sql`update numbers set value = ${value}, revision = revision + 1`.execute(database.kysely)
  if (told) await sql`select pg_notify('numbers_changed', '')`.execute(database.kysely)
}

function open(db: Database = database) {
  const clock = createTestClock()
  let loads = 0
  const copy = createFreshCopy({
    database: db,
    clock,
    channel: 'numbers_changed',
    maxAgeMs: 5000,
    timeoutMs: 1500,
    revision: async (from) => (await read(from)).revision,
    load: async (from) => {
      loads += 1
      return (await read(from)).value
    },
  })
  after(() => copy.close())
  return { clock, copy, loads: () => loads }
}

describe('a fresh copy', () => {
  test('is loaded once and then given without asking', async () => {
    await change(1, false)
    const { copy, loads } = open()
    assert.equal(copy.now(), undefined)
    assert.deepEqual(await Promise.all([copy.get(), copy.get()]), [1, 1])
    await database.notifications.ready()
    await until(
      'the copy to be at hand',
      () => copy.get(),
      () => copy.now() === 1,
    )
    assert.equal(loads(), 1)
  })

  test('sees a change of another process when it is told of it', async () => {
    const { copy } = open()
    await database.notifications.ready()
    await copy.get()
    await change(2, true)
    await until(
      'the change',
      () => copy.get(),
      (value) => value === 2,
    )
  })

  test('sees a change of this process at once', async () => {
    const { copy } = open()
    await copy.get()
    for (let value = 10; value < 20; value += 1) {
      await change(value, false)
      copy.invalidate()
      assert.equal(await copy.get(), value)
    }
  })

  test('sees a change that nobody told of when its age is over, and loads only when there is one', async () => {
    const { copy, clock, loads } = open()
    await database.notifications.ready()
    await copy.get()
    await change(3, false)
    await clock.advance(5001)
    assert.equal(copy.now(), undefined)
    assert.equal(await copy.get(), 3)
    const before = loads()
    await clock.advance(5001)
    assert.equal(await copy.get(), 3)
    assert.equal(loads(), before)
  })

  test('is looked at again for a caller who misses something, and after a reconnection of the listener', async () => {
    const { notifications } = database
    const reconnected: (() => void)[] = []
    const listen: typeof notifications.listen = (channel, handler) => {
      reconnected.push(() => handler(undefined))
      return notifications.listen(channel, handler)
    }
    const { copy } = open({ ...database, notifications: { ...notifications, listen } })
    await notifications.ready()
    await until(
      'the copy to be at hand',
      () => copy.get(),
      () => copy.now() !== undefined,
    )
    await change(4, false)
    assert.notEqual(await copy.get(), 4)
    assert.equal(await copy.getNew(), 4)
    await change(5, false)
    for (const tell of reconnected) tell()
    assert.equal(copy.now(), undefined)
    assert.equal(await copy.get(), 5)
  })

  test('is not given when the database does not say in time that it is still true', async () => {
    let hangs = false
    const { copy, clock } = open({
      ...database,
      get kysely() {
        if (hangs) throw new CopyStale('hangs')
        return database.kysely
      },
    })
    await copy.get()
    hangs = true
    await clock.advance(5001)
    await assert.rejects(copy.get(), CopyStale)
    hangs = false
    assert.equal(await copy.get(), 5)
  })

  test('is compared at each question while the listening connection is gone, and believed again after it', async () => {
    const cut = { is: false }
    const { notifications } = database
    const hears = (channel: string) => !cut.is && notifications.hears(channel)
    const { copy, loads } = open({ ...database, notifications: { ...notifications, hears } })
    await notifications.ready()
    await until(
      'the copy to be at hand',
      () => copy.get(),
      () => copy.now() !== undefined,
    )
    const before = loads()
    cut.is = true
    for (const value of [30, 31]) {
      await change(value, false)
      assert.equal(copy.now(), undefined)
      assert.deepEqual(await Promise.all([copy.get(), copy.get()]), [value, value])
    }
    await copy.get()
    assert.equal(loads(), before + 2, 'what has not changed is not loaded')
    cut.is = false
    assert.equal(copy.now(), 31)
  })
})
