import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createIds } from '#platform/ids'
import { createTestDatabase, until } from '#platform/testing'
import { systemClock } from '#platform/time'
import { dayPartitions } from './index.ts'

const DAY_MS = 86_400_000
const { database, url } = await createTestDatabase()
const db = database.kysely
const days = dayPartitions({ database, clock: systemClock }, 'things')
const never = new AbortController().signal

async function put(at: Date, count = 1): Promise<void> {
  const ids = createIds(() => at.getTime())
  const made = Array.from({ length: count }, () => ids.next())
  await sql`
    insert into things (id, body)
    select id, (select string_agg(md5(id::text || n), '') from generate_series(1, 100) as n)
    from unnest(${made}::uuid[]) as id`.execute(db)
}

async function countIn(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? -1
}

async function bytesOnDisk(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('things') where isleaf`.execute(db)
  return Number(rows[0]?.bytes)
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_locks where not granted and database =
      (select oid from pg_database where datname = current_database()) and mode = 'AccessExclusiveLock'`.execute(db)
  return rows[0]?.count ?? 0
}

const ago = (count: number): Date => new Date(Date.now() - count * DAY_MS)
const nameOf = (at: Date): string => `things_${at.toISOString().slice(0, 10).replaceAll('-', '')}`

describe('a table kept by day', () => {
  before(async () => {
    await sql`create table things (id uuid primary key, body text not null check (body <> '')) partition by range (id)`.execute(
      db,
    )
    await sql`create table things_default partition of things default`.execute(db)
    await put(ago(40), 500)
    await put(ago(3), 20)
    await put(new Date(0))
    for (const day of [ago(40), ago(3)]) {
      await sql`select ensure_day_partition('things', ${day.toISOString().slice(0, 10)}::date)`.execute(db)
    }
  })

  test('moves the rows that came before their day into it; what is of no plausible day lies apart', async () => {
    assert.equal(await countIn('things'), 521)
    assert.equal(await countIn(nameOf(ago(40))), 500)
    assert.equal(await countIn(nameOf(ago(3))), 20)
    assert.equal(await countIn('things_default'), 1)
    await assert.rejects(sql`insert into things (id, body) values (gen_random_uuid(), '')`.execute(db), /check/)
  })

  test('today and seven days more are made, once, by however many at once', async () => {
    await Promise.all([days.ensure(), days.ensure(), days.ensure()])
    await days.ensure()
    const list = await days.list()
    assert.equal(list.length, 10)
    assert.equal(list.at(-1)?.name, nameOf(ago(-7)))
    await put(new Date(), 5)
    assert.equal(await countIn(nameOf(new Date())), 5)
  })

  test('rows that came before their day had a partition move into it', async () => {
    const day = ago(1)
    await put(day, 7)
    assert.equal(await countIn('things_default'), 8)
    await sql`select ensure_day_partition('things', ${day.toISOString().slice(0, 10)}::date)`.execute(db)
    assert.equal(await countIn(nameOf(day)), 7)
    assert.equal(await countIn('things_default'), 1)
  })

  test('old days go with their files, younger ones stay, and so does the day that is half old', async () => {
    const bytes = await bytesOnDisk()
    const count = await countIn('things')
    assert.equal(await days.dropBefore(ago(10), never), 1)
    assert.ok((await bytesOnDisk()) < bytes - 500 * 3200, `${await bytesOnDisk()} of ${bytes} bytes`)
    assert.equal(await countIn('things'), count - 501)
    assert.equal(await countIn('things_default'), 0)
    assert.equal(await days.dropBefore(ago(3), never), 0)
    assert.equal(await countIn(nameOf(ago(3))), 20)
  })

  test('dropping waits for a reader, and nobody waits for the dropping', async () => {
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    try {
      await reader.query('begin')
      await reader.query('select count(*) from things')
      const dropped = days.dropBefore(ago(2), never)
      await until('the dropping to wait', countWaiting, (waiting) => waiting > 0)
      await put(new Date(), 3)
      assert.equal(await countIn(nameOf(new Date())), 8)
      await reader.query('commit')
      assert.equal(await dropped, 1)
      assert.equal((await days.list())[0]?.name, nameOf(ago(1)))
    } finally {
      await reader.end()
    }
  })

  test('a reader who never ends is given up on when the work is to stop', async () => {
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    try {
      await reader.query('begin')
      await reader.query('select count(*) from things')
      const stopping = new AbortController()
      stopping.abort()
      assert.equal(await days.dropBefore(new Date(), stopping.signal), 0)
    } finally {
      await reader.end()
    }
  })
})
