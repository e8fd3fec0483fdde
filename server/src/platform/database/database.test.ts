import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { createLog } from '#platform/log'
import { createTestDatabase, until } from '#platform/testing'
import { systemClock } from '#platform/time'
import { isUnavailable, openDatabase, withinOrAbove, withinPrefixes } from './index.ts'

const { database, url } = await createTestDatabase()
await sql`create table counters (id int primary key, n int not null)`.execute(database.kysely)
await sql`create table paths (path text collate "C" primary key)`.execute(database.kysely)

describe('the database', () => {
  test('repeats a transaction that fails by serialization, so that no increment is lost', async () => {
    await sql`insert into counters values (1, 0)`.execute(database.kysely)
    let runs = 0
    const increment = (): Promise<void> =>
      database.transaction(async (tx) => {
        runs += 1
        await sql`set transaction isolation level serializable`.execute(tx)
        const { rows } = await sql<{ n: number }>`select n from counters where id = 1`.execute(tx)
        await sql`update counters set n = ${(rows[0]?.n ?? 0) + 1} where id = 1`.execute(tx)
      })
    await Promise.all([increment(), increment(), increment()])
    const { rows } = await sql<{ n: number }>`select n from counters where id = 1`.execute(database.kysely)
    assert.equal(rows[0]?.n, 3)
    assert.ok(runs >= 3)
  })

  test('a transaction commits all or nothing', async () => {
    await assert.rejects(
      database.transaction(async (tx) => {
        await sql`insert into counters values (2, 1)`.execute(tx)
        await sql`select nonsense`.execute(tx)
      }),
    )
    const { rows } = await sql`select 1 from counters where id = 2`.execute(database.kysely)
    assert.equal(rows.length, 0)
  })

  test('a transaction that fails gives its connection back', async () => {
    for (let round = 0; round < 20; round += 1) {
      await assert.rejects(database.transaction((tx) => sql`select nonsense`.execute(tx)))
    }
    // The pool has 8: were they kept, this would wait for one until it gives up.
    const { rows } = await database.transaction((tx) => sql<{ one: number }>`select 1 as one`.execute(tx))
    assert.equal(rows[0]?.one, 1)
  })

  test('repeats a transaction that read what another one has changed', async () => {
    await sql`insert into counters values (13, 0)`.execute(database.kysely)
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const increment = (own: number): Promise<void> =>
      database.transaction(async (tx) => {
        await sql`set transaction isolation level repeatable read`.execute(tx)
        const { rows } = await sql<{ n: number }>`select n from counters where id = 13`.execute(tx)
        both[own]?.resolve()
        await both[1 - own]?.promise
        await sql`update counters set n = ${(rows[0]?.n ?? 0) + 1} where id = 13`.execute(tx)
      })
    await Promise.all([increment(0), increment(1)])
    const { rows } = await sql`select n from counters where id = 13`.execute(database.kysely)
    assert.deepEqual(rows, [{ n: 2 }])
  })

  test('repeats a transaction that PostgreSQL ended to break a deadlock', async () => {
    await sql`insert into counters values (11, 0), (12, 0)`.execute(database.kysely)
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const add = (first: number, second: number, own: number): Promise<void> =>
      database.transaction(async (tx) => {
        await sql`update counters set n = n + 1 where id = ${first}`.execute(tx)
        both[own]?.resolve()
        await both[1 - own]?.promise
        await sql`update counters set n = n + 1 where id = ${second}`.execute(tx)
      })
    await Promise.all([add(11, 12, 0), add(12, 11, 1)])
    const { rows } = await sql`select n from counters where id in (11, 12)`.execute(database.kysely)
    assert.deepEqual(rows, [{ n: 2 }, { n: 2 }])
  })

  test('is ready once it listens to every channel, also to one that came after the connection', async () => {
    await database.notifications.ready()
    database.notifications.listen('late_channel', () => undefined)
    await database.notifications.ready()
    assert.ok(database.notifications.hears('late_channel'))
  })

  test('listens again after its connection was cut, and says that something may have been missed', async () => {
    const heard: (string | undefined)[] = []
    database.notifications.listen('test_channel', (payload) => heard.push(payload))
    await database.notifications.ready()
    await sql`select pg_notify('test_channel', 'one')`.execute(database.kysely)
    await until(
      'the first notification',
      () => heard,
      (list) => list.includes('one'),
    )
    heard.length = 0
    assert.ok(database.notifications.hears('test_channel'))
    assert.ok(!database.notifications.hears('another_channel'))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signalbox listen' and datname = current_database()`.execute(
      database.kysely,
    )
    await until(
      'the loss to be known',
      () => database.notifications.hears('test_channel'),
      (hears) => !hears,
    )
    await until(
      'the reconnection',
      () => heard,
      (list) => list.includes(undefined),
    )
    assert.ok(database.notifications.hears('test_channel'))
    await sql`select pg_notify('test_channel', 'two')`.execute(database.kysely)
    await until(
      'a notification after it',
      () => heard,
      (list) => list.includes('two'),
    )
  })

  test('closes also while its listening connection is being made, and leaves none behind', async () => {
    const log = createLog({ level: 'silent', pretty: false })
    const other = openDatabase({ url, poolSize: 1, log, clock: systemClock })
    other.notifications.listen('left_channel', () => undefined)
    await other.close()
    const left = await until(
      'the connection to be gone',
      async () =>
        (
          await sql`select pid from pg_stat_activity
            where datname = current_database() and query = 'listen left_channel'`.execute(database.kysely)
        ).rows,
      (rows) => rows.length === 0,
    )
    assert.deepEqual(left, [])
  })

  test('a server that cannot be reached is unavailable, a refused statement is not', async () => {
    const dead = openDatabase({
      url: 'postgres://x@127.0.0.1:1/x',
      poolSize: 1,
      log: createLog({ level: 'silent', pretty: false }),
      clock: systemClock,
    })
    await assert.rejects(dead.kysely.selectFrom('teams').select('id').execute(), (error) => isUnavailable(error))
    await dead.close()
    await assert.rejects(sql`select nonsense`.execute(database.kysely), (error) => !isUnavailable(error))
    assert.ok(url.length > 0)
  })

  test('a path prefix covers itself and what lies below, never a sibling that starts with the same letters', async () => {
    await sql`insert into paths values ('acme'), ('acme/web'), ('acme-labs'), ('acme0'), ('acme/web/ui'), ('zeta')`.execute(
      database.kysely,
    )
    const listed = async (condition: RawBuilder<SqlBool>): Promise<string[]> => {
      const asked = sql<{ path: string }>`select path from paths where ${condition} order by path`
      return (await asked.execute(database.kysely)).rows.map((row) => row.path)
    }
    const within = (prefixes: string[]) => listed(withinPrefixes('path', prefixes))
    assert.deepEqual(await within(['acme']), ['acme', 'acme/web', 'acme/web/ui'])
    assert.deepEqual(await within(['acme/web', 'zeta']), ['acme/web', 'acme/web/ui', 'zeta'])
    assert.deepEqual(await within([]), [])
    assert.equal((await within(['/'])).length, 6)

    await sql`insert into paths values ('/'), ('acme/web/ui/old')`.execute(database.kysely)
    const withinOr = (prefixes: string[]) => listed(withinOrAbove('path', prefixes))
    assert.deepEqual(await withinOr(['acme/web/ui']), ['/', 'acme', 'acme/web', 'acme/web/ui', 'acme/web/ui/old'])
    assert.deepEqual(await withinOr(['zeta', 'acme/web/ui/old']), [
      '/',
      'acme',
      'acme/web',
      'acme/web/ui',
      'acme/web/ui/old',
      'zeta',
    ])
    assert.deepEqual(await withinOr([]), [])
    assert.equal((await withinOr(['/'])).length, 8)
  })
})
