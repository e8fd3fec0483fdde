import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '#platform/log'
import { createTestDatabase } from '#platform/testing'
import { systemClock } from '#platform/time'
import { openDatabase } from './database.ts'

const { url } = await createTestDatabase()
const log = createLog({ level: 'silent', pretty: false })
/** Hours that have passed meanwhile, as far as the database's clock is concerned. */
let hours = 0
const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + hours * 3_600_000 }
const database = openDatabase({ url, poolSize: 3, log, clock })
after(() => database.close())

// PostgreSQL's error when a file cannot grow.
const FAILS = "do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$"

describe('a disk that is full', () => {
  const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a query', () => sql.raw(FAILS).execute(database.kysely)],
    ['a transaction', () => database.transaction((tx) => sql.raw(FAILS).execute(tx))],
    ['statements that are sent at once', () => database.pipeline([{ text: FAILS, values: [] }])],
  ]
  for (const [way, write] of ways) {
    test(`is known by the failure of ${way}, until a write succeeds`, async () => {
      assert.equal(await database.isFull(), false)
      await assert.rejects(write)
      assert.equal(await database.isFull(), true)
      hours += 1
      assert.equal(await database.isFull(), false)
    })
  }

  test('is not known by other failures', async () => {
    await assert.rejects(sql.raw('select 1/0').execute(database.kysely))
    assert.equal(await database.isFull(), false)
  })
})
