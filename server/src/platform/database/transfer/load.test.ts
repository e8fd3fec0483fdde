import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import pg from 'pg'
import { createEmptyTestDatabase, createTestDatabase } from '#platform/testing'
import { DatabaseRefused } from '../embedded/index.ts'
import { migrate } from '../migrate.ts'
import { loadDatabase, mayDeleteObjects, openSnapshot, type RowSource, requireEmptyDatabase } from './index.ts'

const { database, url } = await createTestDatabase()
const [whole, half] = [await createEmptyTestDatabase(), await createEmptyTestDatabase()]
const NOTHING = { schemas: [], makeSchemas: async () => undefined, beforeCommit: async () => undefined }

async function ask(where: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: where })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('it was let through'),
    (error: unknown) => (error instanceof DatabaseRefused ? error.code : error),
  )

describe('a database that is filled from another', () => {
  test('has its rows, days, sequences, constraints and triggers', async () => {
    await ask(url, "select ensure_day_partition('deliveries', '2026-01-02')")
    await ask(url, "select setval('attempt_fences', 4711)")
    const awkward = ['tab\there', 'back\\slash', 'new\nline', '\\N', 'ünïcode', ''].map((name) => `'${name}'`)
    await ask(
      url,
      `insert into teams (id, path, name, created_at, updated_at)
      select uuidv7(), 'team' || row_number() over (), name, now(), now() from unnest(array[${awkward.join(', ')}]) as name`,
    )
    const snapshot = await openSnapshot(url, { schemas: [], leaveOut: [] })
    // The snapshot holds neither change.
    await ask(url, `delete from teams where path = 'team1'`)
    await ask(
      url,
      `insert into teams (id, path, name, created_at, updated_at) values (uuidv7(), 'late', 'l', now(), now())`,
    )
    const counts = await loadDatabase(whole, snapshot, NOTHING)
    await snapshot.close()
    assert.equal(counts.get('teams'), awkward.length)
    const shape = `
      select conname, convalidated, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all select tgname, tgenabled = 'O', tgrelid::regclass::text from pg_trigger where not tgisinternal
      union all select relname, true, '' from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      order by 1, 3`
    assert.deepEqual(await ask(whole, shape), await ask(url, shape))
    assert.deepEqual(await ask(whole, 'select last_value from attempt_fences'), [['4711']])
    const names = await ask(whole, 'select name from teams order by path')
    assert.deepEqual(names.flat(), ['tab\there', 'back\\slash', 'new\nline', '\\N', 'ünïcode', ''])
    assert.deepEqual(await migrate(whole), [], 'it can be started on')
  })

  test('is refused where it is not empty', async () => {
    assert.equal(await refusal(requireEmptyDatabase(url, [])), 'database.not_empty')
  })

  test('refuses each start until the last row is in', async () => {
    const snapshot = await openSnapshot(url, { schemas: [], leaveOut: [] })
    const broken = new Error('the machine went down')
    const failing = { ...NOTHING, beforeCommit: () => Promise.reject(broken) }
    assert.equal(await refusal(loadDatabase(half, snapshot, failing)), broken)
    await snapshot.abandon()
    assert.equal(await refusal(migrate(half)), 'database.restore_unfinished')
    assert.equal(await refusal(requireEmptyDatabase(half, [])), 'database.restore_unfinished')
    assert.deepEqual(await ask(half, 'select count(*) from teams'), [['0']])
  })

  test('is refused where a table lacks rows', async () => {
    const empty = await createEmptyTestDatabase()
    const snapshot = await openSnapshot(url, { schemas: [], leaveOut: [] })
    const lying: RowSource = {
      ...snapshot,
      copyRows: async (table, into) => (await snapshot.copyRows(table, into)) + (table.name === 'teams' ? 1 : 0),
    }
    await assert.rejects(loadDatabase(empty, lying, NOTHING), /The table teams has 6 rows where 7 were meant/)
    await snapshot.abandon()
  })
})

describe('a snapshot', () => {
  const may = () => database.transaction(mayDeleteObjects)

  test('keeps objects until it is closed, or its connection is lost', async () => {
    assert.equal(await may(), true)
    const snapshot = await openSnapshot(url, { schemas: [], leaveOut: [] })
    assert.equal(await may(), false)
    await snapshot.endRows()
    assert.equal(await may(), false)
    await snapshot.close()
    assert.equal(await may(), true)
    const lost = await openSnapshot(url, { schemas: [], leaveOut: [] })
    await lost.endRows()
    await ask(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'signalbox backup' and datname = current_database()`,
    )
    await assert.rejects(lost.close())
    assert.equal(await may(), true)
  })

  test('writes a row as COPY does, whatever form of times the server has', async () => {
    const snapshot = await openSnapshot(url, { schemas: [], leaveOut: [] })
    const table = snapshot.tables.find(({ name }) => name === 'schema_migrations')
    assert.equal(table, undefined, 'migrations make their own rows')
    const teams = snapshot.tables.find(({ name }) => name === 'teams')
    assert.ok(teams)
    const into = new PassThrough()
    const [count, copied] = await Promise.all([snapshot.copyRows(teams, into), text(into)])
    assert.equal(copied.trimEnd().split('\n').length, count)
    assert.match(copied, /\+00\b/)
    await snapshot.close()
  })
})
