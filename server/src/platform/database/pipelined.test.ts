import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '#platform/testing'
import { uniqueViolation } from './errors.ts'
import { execute } from './pipelined.ts'
import type { Statement } from './statement.ts'

const { database } = await createTestDatabase()
await sql`create table things (name text primary key)`.execute(database.kysely)

const insert = (name: string): Statement => ({ text: 'insert into things values ($1)', values: [name] })

async function names(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from things order by name`.execute(database.kysely)
  return rows.map((row) => row.name)
}

describe('statements that are sent at once', () => {
  test('are one transaction, in their order', async () => {
    await database.pipeline([insert('a'), { text: "update things set name = name || 'b'", values: [] }, insert('c')])
    assert.deepEqual(await names(), ['ab', 'c'])
  })

  test('store nothing where one of them fails, whichever it is; and the next ones find a connection', async () => {
    const before = await names()
    for (const group of [
      [insert('c'), insert('d')],
      [insert('d'), insert('c')],
      [insert('d'), { text: 'no statement', values: [] }, insert('e')],
    ]) {
      await assert.rejects(database.pipeline(group))
      assert.deepEqual(await names(), before)
    }
    const error = await database.pipeline([insert('c')]).catch((reason: unknown) => reason)
    assert.equal(uniqueViolation(error), 'things_pkey')
    await database.pipeline([insert('d')])
    assert.deepEqual(await names(), [...before, 'd'])
  })

  test('many at a time', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `many ${String(index).padStart(3, '0')}`)
    await Promise.all(many.map((name) => database.pipeline([insert(name)])))
    assert.deepEqual(await names().then((all) => all.filter((name) => name.startsWith('many'))), many)
  })

  test('tell what they answered once all of it is stored, and nothing where it is not', async () => {
    const heard: unknown[] = []
    const asking = (name: string): Statement => ({
      text: 'insert into things values ($1) returning name',
      values: [name],
      answered: (rows) => void heard.push(...rows),
    })
    await database.pipeline([asking('f'), insert('g'), asking('h')])
    assert.deepEqual(heard, [{ name: 'f' }, { name: 'h' }])
    await assert.rejects(database.pipeline([asking('i'), insert('f')]))
    await database.transaction((tx) => execute(tx, asking('i')))
    assert.deepEqual(heard, [{ name: 'f' }, { name: 'h' }, { name: 'i' }])
  })

  describe('of which one has followers', () => {
    const COUNT = 'select count(*) as count from things where name like $1'
    const counting = (
      prefix: string,
      follow: (count: number) => readonly Statement[],
    ): Statement<{ count: number }> => ({
      text: COUNT,
      values: [`${prefix}%`],
      follow: (rows) => follow(rows[0]?.count ?? -1),
    })
    const starting = async (prefix: string) => (await names()).filter((name) => name.startsWith(prefix))

    test('are one transaction: the followers see what came before, and come before the next one', async () => {
      const chain = (prefix: string) => [
        insert(`${prefix} 1`),
        counting(prefix, (count) => [
          insert(`${prefix} after ${count}`),
          counting(prefix, (next) => [insert(`${prefix} after ${next}`)]),
        ]),
        counting(prefix, (count) => [insert(`${prefix} after ${count}`)]),
      ]
      await database.pipeline(chain('p'))
      assert.deepEqual(await starting('p'), ['p 1', 'p after 1', 'p after 2', 'p after 3'])
      await database.transaction(async (tx) => {
        for (const statement of chain('q')) await execute(tx, statement)
      })
      assert.deepEqual(await starting('q'), ['q 1', 'q after 1', 'q after 2', 'q after 3'])
    })

    test('store and tell nothing where a later part fails, or cannot be made', async () => {
      const heard: unknown[] = []
      const telling = { ...insert('r 1'), answered: () => void heard.push('r 1') }
      const failing = (follow: () => readonly Statement[]) => database.pipeline([telling, counting('r', follow)])
      await assert.rejects(
        failing(() => [insert('r 2'), insert('r 2')]),
        (error) => uniqueViolation(error) === 'things_pkey',
      )
      await assert.rejects(
        failing(() => {
          throw new Error('cannot be made')
        }),
        /cannot be made/,
      )
      assert.deepEqual([await starting('r'), heard], [[], []])
      await failing(() => [])
      assert.deepEqual([await starting('r'), heard], [['r 1'], ['r 1']])
    })

    test('hold no lock for ever where this process stops between two parts', async () => {
      let limit: unknown
      await database.pipeline([
        {
          text: "select current_setting('idle_in_transaction_session_timeout') as limit",
          values: [],
          answered: ([row]: readonly { readonly limit: string }[]) => void (limit = row?.limit),
        },
      ])
      assert.equal(limit, '20s')
    })
  })

  test('a statement also runs in an ordinary transaction', async () => {
    await database.transaction((tx) => execute(tx, insert('z')))
    assert.ok((await names()).includes('z'))
  })
})
