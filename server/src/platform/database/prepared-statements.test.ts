import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '#platform/testing'
import { createStatementNames } from './prepared-statements.ts'

const long = (text: string) => `${text} ${' '.repeat(200)}`

describe('statements that are prepared', () => {
  test('a long one from its second time on, always by the same name', () => {
    const names = createStatementNames()
    const text = long('insert into things select * from unnest($1::text[])')
    assert.equal(names.nameOf(text), undefined)
    const name = names.nameOf(text)
    assert.match(name ?? '', /^[0-9a-f]{32}$/)
    assert.equal(names.nameOf(text), name)
  })

  test('no short one, and no list with filters', () => {
    const names = createStatementNames()
    for (const text of ['insert into things values ($1)', long('select id from things where team = $1 order by id')]) {
      assert.equal(names.nameOf(text), undefined)
      assert.equal(names.nameOf(text), undefined)
    }
  })

  test('texts that are ever new do not add up', () => {
    const names = createStatementNames()
    const named = Array.from({ length: 1000 }, (_, index) => long(`delete from things where id = ${index}`)).filter(
      (text) => names.nameOf(text) === undefined && names.nameOf(text) !== undefined,
    )
    assert.equal(named.length, 200)
  })

  test('the answers are the same, and PostgreSQL has the statement', async () => {
    const { database } = await createTestDatabase()
    const text = sql`/* ${sql.raw('-'.repeat(200))} */ with given as (select * from unnest(${['a', 'b']}::text[]) as v)
      select v from given order by v desc`
    const once = () =>
      database.kysely.connection().execute(async (db) => {
        for (let time = 0; time < 3; time++) {
          assert.deepEqual((await text.execute(db)).rows, [{ v: 'b' }, { v: 'a' }])
        }
        return (await sql<{ name: string }>`select name from pg_prepared_statements`.execute(db)).rows
      })
    assert.equal((await once()).length, 1)
  })
})
