import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '#platform/log'
import { createTestClock, createTestDatabase, until } from '#platform/testing'
import { isUnavailable, openDatabase } from './index.ts'

const { url } = await createTestDatabase()
const log = createLog({ level: 'silent', pretty: false })

/** A way to the database on which connections can be lost: the database sees them end, who made them sees nothing. */
async function startWay() {
  const pairs = new Map<Socket, Socket>()
  let made = 0
  const { searchParams, username, pathname } = new URL(url)
  const server = createServer((client) => {
    const place = connect(`${searchParams.get('host')}/.s.PGSQL.5432`)
    pairs.set(client, place)
    made += 1
    for (const socket of [client, place]) socket.on('error', () => undefined)
    client.pipe(place, { end: false })
    place.pipe(client, { end: false })
    client.on('close', () => {
      pairs.delete(client)
      place.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  after(() => {
    server.close()
    for (const socket of pairs.keys()) socket.destroy()
  })
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    /** Loses the open connections; new ones pass. */
    lose() {
      for (const [client, place] of pairs) {
        client.unpipe(place)
        place.unpipe(client)
        place.destroy()
      }
    },
    /** Holds back the bytes of the open connections; answers a function that lets them go on. */
    hold() {
      const held = [...pairs]
      for (const [client, place] of held) client.unpipe(place)
      return () => {
        for (const [client, place] of held) client.pipe(place, { end: false })
      }
    },
    open: () => pairs.size,
    made: () => made,
  }
}

/**
 * A step of the clock at each look. The database is asked for its sessions during six seconds of this clock. The span
 * must last longer than a connection takes on a busy machine.
 */
const STEP_MS = 200

/** Moves the clock on until `work` has come to its end. */
async function whileTimePasses<T>(clock: ReturnType<typeof createTestClock>, work: Promise<T>): Promise<T> {
  let over = false
  const done = work.finally(() => {
    over = true
  })
  done.catch(() => undefined)
  await until(
    'the end of the work',
    async () => {
      clock.advance(STEP_MS)
      return over
    },
    (ended) => ended,
  )
  return done
}

describe('connections whose other end is gone without a word', () => {
  test('end what waits on them, and the next ones are new', async () => {
    const way = await startWay()
    const clock = createTestClock()
    const database = openDatabase({ url: way.url, poolSize: 2, log, clock })
    after(() => database.close())
    const statements = [1, 2].map(() => sql`select pg_sleep(3600)`.execute(database.kysely))
    const told = Promise.allSettled(statements)
    const waiting = sql`select 1`.execute(database.kysely).catch((error: unknown) => error)
    await until(
      'both connections',
      () => way.open(),
      (count) => count === 2,
    )
    way.lose()
    const ends = await whileTimePasses(clock, told)
    assert.ok(ends.every((end) => end.status === 'rejected' && isUnavailable(end.reason)))
    await waiting
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.kysely)
    assert.equal(rows[0]?.one, 1)
  })

  test('keep no process from ending', async () => {
    const way = await startWay()
    const clock = createTestClock()
    const database = openDatabase({ url: way.url, poolSize: 1, log, clock })
    sql`select pg_sleep(3600)`.execute(database.kysely).catch(() => undefined)
    await until(
      'the connection',
      () => way.open(),
      (count) => count === 1,
    )
    way.lose()
    await whileTimePasses(clock, database.close())
  })

  test('are ended by the database, too, and with them the transactions that keep others waiting', async () => {
    const database = openDatabase({ url, poolSize: 1, log, clock: createTestClock() })
    after(() => database.close())
    const { rows } = await sql<{ setting: string }>`
      select setting from pg_settings where name = 'idle_in_transaction_session_timeout'
    `.execute(database.kysely)
    assert.equal(rows[0]?.setting, '20000')
  })

  test('are told from those that are only late: what the database says once is asked again', async () => {
    const way = await startWay()
    const clock = createTestClock()
    const database = openDatabase({ url: way.url, poolSize: 1, log, clock })
    after(() => database.close())
    await sql`select 1`.execute(database.kysely)
    const before = way.made()
    const goOn = way.hold()
    const late = sql<{ one: number }>`select 1 as one`.execute(database.kysely)
    await until(
      'the first look',
      async () => {
        if (way.made() === before) clock.advance(STEP_MS)
        return way.made() > before && way.open() === 1
      },
      (looked) => looked,
    )
    goOn()
    assert.equal((await late).rows[0]?.one, 1)
  })

  test('are told from statements that take long', async () => {
    const clock = createTestClock()
    const database = openDatabase({ url, poolSize: 2, log, clock })
    after(() => database.close())
    let over = false
    const long = sql`select pg_sleep(0.5)`.execute(database.kysely).finally(() => {
      over = true
    })
    await until(
      'the end of the statement',
      async () => {
        clock.advance(STEP_MS)
        return over
      },
      (ended) => ended,
    )
    await long
  })
})
