import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestDatabase, createTestKit } from '#platform/testing'
import { systemClock } from '#platform/time'
import { rowOf } from '../actions/record-audit.ts'
import * as store from '../store.ts'
import { anEntry } from '../testing.ts'
import { createRecordWriter } from './record-writer.ts'

const { database } = await createTestDatabase()
const kit = createTestKit(database)
const db = database.kysely
const aRow = (id: string, more: object = {}) => ({
  ...rowOf(kit, anEntry({ resource: { kind: 'thing', id } })),
  ...more,
})
const stored = async () =>
  (await db.selectFrom('audit_records').select(['resource_id', 'before', 'after']).orderBy('id').execute()).map(
    ({ resource_id: id, before, after }) => [id, before, after],
  )

describe('records of their own', () => {
  test('that come together are stored by two statements, each as it is; one that cannot be stored fails alone', async () => {
    const sizes: number[] = []
    const writer = createRecordWriter(async (rows) => {
      sizes.push(rows.length)
      await store.insertAudits(db, rows)
    }, kit.clock)
    const wrong = aRow('wrong', { actorKind: 'nobody' })
    const rows = [
      aRow('lone'),
      aRow('state', { before: 'text', after: { client: `it's "x"`, bytes: 3 } }),
      wrong,
      aRow('list', { after: [1, null] }),
    ]
    const results = await Promise.allSettled(rows.map((row) => writer.write(row)))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(sizes, [1, 3, 2, 1, 1, 1])
    assert.deepEqual(await stored(), [
      ['lone', null, null],
      ['state', 'text', { client: `it's "x"`, bytes: 3 }],
      ['list', null, [1, null]],
    ])
  })

  test('hold whole characters, whatever was cut', async () => {
    const writer = createRecordWriter((rows) => store.insertAudits(db, rows), kit.clock)
    await writer.write(aRow('cut', { after: { client: `${'x'.repeat(199)}😀`.slice(0, 200) } }))
    assert.deepEqual((await stored()).at(-1), ['cut', null, { client: `${'x'.repeat(199)}\ufffd` }])
  })

  test('wait for the statement before theirs for so long, and so many, and no more', async () => {
    const gate = Promise.withResolvers<void>()
    const written: string[] = []
    const writer = createRecordWriter(
      async (rows) => {
        written.push(...rows.map(({ resourceId }) => resourceId))
        await gate.promise
      },
      systemClock,
      { most: 2, ms: 20 },
    )
    const first = writer.write(aRow('first'))
    const results = await Promise.allSettled(['second', 'third', 'fourth'].map((id) => writer.write(aRow(id))))
    assert.deepEqual(
      results.map((each) => (each.status === 'rejected' ? each.reason.code : each.status)),
      ['overloaded', 'overloaded', 'overloaded'],
    )
    gate.resolve()
    await first
    await writer.write(aRow('later'))
    assert.deepEqual(written, ['first', 'later'])
  })

  test('all fail with a database that is at fault, and are not tried one by one', async () => {
    let statements = 0
    const writer = createRecordWriter(async () => {
      statements += 1
      throw new Error('canceling statement due to statement timeout')
    }, kit.clock)
    const results = await Promise.allSettled(['a', 'b', 'c'].map((id) => writer.write(aRow(id))))
    assert.deepEqual([results.every(({ status }) => status === 'rejected'), statements], [true, 2])
  })

  test('are awaited by their callers until they are stored', async () => {
    const gate = Promise.withResolvers<void>()
    const writer = createRecordWriter(() => gate.promise, kit.clock)
    let answered = 0
    const writing = ['a', 'b'].map((id) => writer.write(aRow(id)).then(() => (answered += 1)))
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(answered, 0)
    gate.resolve()
    await Promise.all(writing)
    assert.equal(answered, 2)
  })
})
