import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { createEmptyTestDatabase } from '#platform/testing'
import { MigrationRefused, migrate } from './migrate.ts'

const [url, broken, ahead, edited] = await Promise.all([
  createEmptyTestDatabase(),
  createEmptyTestDatabase(),
  createEmptyTestDatabase(),
  createEmptyTestDatabase(),
])

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
  after(() => rm(folder, { recursive: true }))
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
  return folder
}

async function ask<T extends pg.QueryResultRow>(where: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: where })
  await client.connect()
  const { rows } = await client.query<T>(sql)
  await client.end()
  return rows
}

describe('migrations', () => {
  test('twenty processes at once apply each one exactly once, and a second start applies nothing', async () => {
    const applied = await Promise.all(Array.from({ length: 20 }, () => migrate(url)))
    const lists = applied.filter((names) => names.length > 0)
    assert.equal(lists.length, 1, 'one of the twenty did the work')
    assert.ok((lists[0]?.length ?? 0) > 10)
    assert.deepEqual(await migrate(url), [])
  })

  test('a migration that fails leaves nothing behind, not even its version row', async () => {
    const folder = await folderWith({
      '202601010000_good.sql': 'create table good (id int)',
      '202601010001_bad.sql': 'create table half (id int); select nonsense',
    })
    await assert.rejects(migrate(broken, { directory: folder }), /202601010001_bad failed: .*nonsense/)
    assert.deepEqual(await ask(broken, 'select name from schema_migrations'), [{ name: '202601010000_good' }])
    assert.deepEqual(await ask(broken, "select 1 from pg_tables where tablename = 'half'"), [])
  })

  test('a database that is ahead of the program is refused with the name of what it has', async () => {
    await migrate(ahead, {
      directory: await folderWith({ '202601010000_a.sql': 'select 1', '202601010001_b.sql': 'select 1' }),
    })
    const older = await folderWith({ '202601010000_a.sql': 'select 1' })
    await assert.rejects(
      migrate(ahead, { directory: older }),
      (error) => error instanceof MigrationRefused && /202601010001_b/.test(error.message),
    )
  })

  test('a migration that was edited after it was applied is refused', async () => {
    await migrate(edited, { directory: await folderWith({ '202601010000_a.sql': 'select 1' }) })
    await assert.rejects(
      migrate(edited, { directory: await folderWith({ '202601010000_a.sql': 'select 2' }) }),
      MigrationRefused,
    )
  })
})
