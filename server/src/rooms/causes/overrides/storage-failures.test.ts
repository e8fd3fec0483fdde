import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, startOutage, until } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { openOverrides, PIPELINE, TEAM } from './testing.ts'

const PATH = '/v1/overrides'
const testDatabase = await createTestDatabase()
const house = await openOverrides(testDatabase)
after(() => house.close())
const db = testDatabase.database.kysely
await house.call('PUT', `${PATH}/acme/widgets`, { pipeline: PIPELINE })

/** The statements of `work` that need the table fail, as where a disk or a migration is broken. */
async function withoutTable<T>(table: string, work: () => Promise<T>): Promise<T> {
  await sql`alter table ${sql.table(table)} rename to ${sql.id(`${table}_away`)}`.execute(db)
  try {
    return await work()
  } finally {
    await sql`alter table ${sql.id(`${table}_away`)} rename to ${sql.table(table)}`.execute(db)
  }
}

describe('500: storage fails, and nothing of our inside is told', () => {
  const routes = [
    ['GET', PATH, 'overrides'],
    ['GET', `${PATH}/acme/widgets`, 'overrides'],
    ['PUT', `${PATH}/acme/widgets`, 'overrides'],
    ['PUT', `${PATH}/acme/widgets`, 'audit_records'],
    ['PUT', `${PATH}/acme/new`, 'facts'],
    ['DELETE', `${PATH}/acme/widgets`, 'overrides'],
    ['DELETE', `${PATH}/acme/widgets`, 'audit_records'],
  ] as const
  for (const [method, url, table] of routes) {
    test(`${method} ${url} without ${table}`, async () => {
      const body = method === 'PUT' ? { pipeline: PIPELINE, reason: 'lost' } : undefined
      const called = await withoutTable(table, () => house.call(method, url, body))
      assert.deepEqual([called.status, called.body['code']], [500, 'internal_error'], called.text)
      assert.doesNotMatch(called.text, /relation|select|insert|stack|overrides_/i)
    })
  }

  test('what failed left nothing behind', async () => {
    const { body } = await house.call('GET', `${PATH}/acme/widgets`)
    assert.deepEqual([body['pipeline'], body['reason']], [PIPELINE, null])
    assert.deepEqual((await house.call('GET', `${PATH}/acme/new`)).body, {})
  })
})

test('503: a caller of whom nothing can be known learns nothing, and is answered again afterwards', async () => {
  const { headers } = await aMember(db, 'late', 'viewer', TEAM)
  const outage = await startOutage(testDatabase.url)
  const refused = await house.call('GET', PATH, undefined, headers)
  await outage.end()
  assert.deepEqual([refused.status, refused.body['code']], [503, 'authorization_unavailable'], refused.text)
  await until(
    'an answer',
    async () => (await house.call('GET', PATH, undefined, headers)).status,
    (status) => status === 200,
  )
})
