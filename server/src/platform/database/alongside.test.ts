import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '#platform/testing'
import { alongside, isRidden, type Rider } from './alongside.ts'
import { execute } from './pipelined.ts'
import type { Tx } from './queryable.ts'
import type { Statement } from './statement.ts'

const { database } = await createTestDatabase()
await sql`create table works (name text primary key)`.execute(database.kysely)
await sql`create table rides (name text primary key)`.execute(database.kysely)

const work = (name: string): Statement => ({ text: 'insert into works values ($1)', values: [name] })
const mark = (name: string): Statement => ({ text: 'insert into rides values ($1)', values: [name] })

function rider(name: string, further: Partial<Rider> = {}): Rider {
  return { ride: (tx) => execute(tx, mark(name)), statements: [mark(name)], ...further }
}

function write(name: string): Promise<void> {
  return database.transaction((tx) => execute(tx, work(name)))
}

async function stored(): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select 'work ' || name as name from works union all select 'ride ' || name from rides order by 1`.execute(
    database.kysely,
  )
  await sql`truncate works, rides`.execute(database.kysely)
  return rows.map(({ name }) => name)
}

class Refused extends Error {}

function refuse(): never {
  throw new Refused()
}

describe('a rider', () => {
  test('is stored with the first transaction of the work, and with that alone', async () => {
    const { rode, result } = await alongside(rider('a'), async () => {
      await write('1')
      await write('2')
      return 3
    })
    assert.deepEqual([rode, result], [true, 3])
    assert.deepEqual(await stored(), ['ride a', 'work 1', 'work 2'])
  })

  test('rides a pipeline likewise', async () => {
    const { rode } = await alongside(rider('a'), async () => {
      await database.pipeline([work('1')])
      await database.pipeline([work('2')])
    })
    assert.equal(rode, true)
    assert.deepEqual(await stored(), ['ride a', 'work 1', 'work 2'])
  })

  test('that refuses rolls back the work, in a transaction and in a pipeline', async () => {
    const refusing = rider('a', { ride: refuse, statements: [{ ...mark('a'), follow: refuse }] })
    for (const once of [() => write('1'), () => database.pipeline([work('1')])]) {
      await assert.rejects(alongside(refusing, once), Refused)
      assert.deepEqual(await stored(), [])
    }
  })

  test('goes with the transaction that is committed, where an earlier one failed', async () => {
    await write('1')
    const { rode } = await alongside(rider('a'), async () => {
      await assert.rejects(write('1'))
      await write('2')
    })
    assert.equal(rode, true)
    assert.deepEqual(await stored(), ['ride a', 'work 1', 'work 2'])
  })

  test('is repeated with the transaction that lost its serialization', async () => {
    let rides = 0
    const losing = rider('a', {
      async ride(tx: Tx) {
        rides += 1
        await execute(tx, mark('a'))
        if (rides === 1) await sql`do $$ begin raise exception sqlstate '40001'; end $$`.execute(tx)
      },
    })
    await alongside(losing, () => write('1'))
    assert.equal(rides, 2)
    assert.deepEqual(await stored(), ['ride a', 'work 1'])
  })

  test('stays where the work commits nothing, and no later transaction takes it along', async () => {
    let later: Promise<void> | undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    const { rode } = await alongside(rider('a'), async () => {
      assert.equal(isRidden(), true)
      later = promise.then(() => write('1'))
    })
    assert.deepEqual([rode, isRidden()], [false, false])
    resolve()
    await later
    assert.deepEqual(await stored(), ['work 1'])
  })

  test('goes with its own work alone', async () => {
    await Promise.all([alongside(rider('a'), () => write('1')), write('2'), alongside(rider('b'), () => write('3'))])
    assert.deepEqual(await stored(), ['ride a', 'ride b', 'work 1', 'work 2', 'work 3'])
  })

  test('of a rehearsal stores nothing, and nothing is counted', async () => {
    const counted: unknown[] = []
    const rehearsal = rider('a', { ride: refuse, isRehearsal: true })
    const counting: Statement = { ...work('1'), answered: (rows) => void counted.push(rows) }
    await assert.rejects(
      alongside(rehearsal, () => database.transaction((tx) => execute(tx, counting))),
      Refused,
    )
    assert.deepEqual(counted, [])
    assert.deepEqual(await stored(), [])
  })
})
