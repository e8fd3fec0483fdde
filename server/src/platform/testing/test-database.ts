import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { type Database, openDatabase } from '#platform/database'
import { createLog } from '#platform/log'
import { systemClock } from '#platform/time'
import { databaseUrl, startTestServer, TEMPLATE, TEST_SERVER_VARIABLE } from './test-server.ts'

export interface TestDatabase {
  readonly url: string
  readonly database: Database
}

/**
 * A migrated database of this test file alone, cloned from the run's template and dropped after the file's tests.
 * A file that is run by itself starts a server of its own.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const given = process.env[TEST_SERVER_VARIABLE]
  const own = given ? undefined : await startTestServer()
  const serverUrl = given ?? own?.url ?? ''
  const name = `test_${randomBytes(6).toString('hex')}`
  // Nobody needs its write-ahead log: to copy the files takes a third of the time.
  await administrate(serverUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  const url = databaseUrl(serverUrl, name)
  const log = createLog({ level: 'silent', pretty: false })
  const database = openDatabase({ url, poolSize: 8, log, clock: systemClock })
  after(async () => {
    await database.close()
    await administrate(serverUrl, `drop database ${name} with (force)`)
    await own?.stop()
  })
  return { url, database }
}

/** A database without tables, for tests of the migrations; dropped after the file's tests. */
export async function createEmptyTestDatabase(): Promise<string> {
  const given = process.env[TEST_SERVER_VARIABLE]
  const own = given ? undefined : await startTestServer()
  const serverUrl = given ?? own?.url ?? ''
  const name = `empty_${randomBytes(6).toString('hex')}`
  await administrate(serverUrl, `create database ${name}`)
  after(async () => {
    await administrate(serverUrl, `drop database ${name} with (force)`)
    await own?.stop()
  })
  return databaseUrl(serverUrl, name)
}

async function administrate(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    // Only one clone of a template can be made at a time; others get 55006 (object in use).
    await client.query('select pg_advisory_lock(1)')
    await client.query(statement)
  } finally {
    await client.end()
  }
}
