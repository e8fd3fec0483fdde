import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, startOutage, until } from '#platform/testing'
import { aMember } from '../../foundation/access/testing.ts'
import { aConnectedSource, aSource, type Called, deliver, openCauses } from './testing.ts'

const testDatabase = await createTestDatabase()
const causes = await openCauses(testDatabase)
after(() => causes.close())
const db = testDatabase.database.kysely
const PATH = '/v1/git-webhook-sources'
const { id } = await aConnectedSource(causes)

/** The statements of `work` that need the table fail, as where a disk or a migration is broken. */
async function withoutTable<T>(table: string, work: () => Promise<T>): Promise<T> {
  await sql`alter table ${sql.table(table)} rename to ${sql.id(`${table}_away`)}`.execute(db)
  try {
    return await work()
  } finally {
    await sql`alter table ${sql.id(`${table}_away`)} rename to ${sql.id(table)}`.execute(db)
  }
}

function expectInternal({ status, body, text }: Called): void {
  assert.deepEqual([status, body['code']], [500, 'internal_error'], text)
  assert.doesNotMatch(text, /relation|webhook_sources|select|insert|stack/i, 'nothing of our inside is told')
}

describe('500: storage fails', () => {
  const document = aSource({ name: 'another' })
  const routes = [
    ['GET', PATH, undefined],
    ['POST', PATH, document],
    ['GET', `${PATH}/${id}`, undefined],
    ['PUT', `${PATH}/${id}`, document],
    ['PATCH', `${PATH}/${id}`, { enabled: false }],
    ['DELETE', `${PATH}/${id}`, undefined],
    ['GET', `${PATH}/${id}/health`, undefined],
    ['GET', `${PATH}/${id}/deliveries`, undefined],
    ['POST', `${PATH}/${id}/deliveries/${id}/replay`, undefined],
    ['POST', `${PATH}/${id}/deliveries/replay`, {}],
  ] as const
  for (const [method, url, body] of routes) {
    test(`${method} ${url.replaceAll(id, '{id}')}`, async () => {
      expectInternal(await withoutTable('webhook_sources', () => causes.call(method, url, body)))
    })
  }

  for (const path of ['deliveries', 'health']) {
    test(`GET .../${path}, where the deliveries themselves cannot be read`, async () => {
      expectInternal(await withoutTable('deliveries', () => causes.call('GET', `${PATH}/${id}/${path}`)))
      assert.equal((await causes.call('GET', `${PATH}/${id}/${path}`)).status, 200)
    })
  }

  test('POST /v1/git/events, where the event cannot be recorded: no run is left behind', async () => {
    const event = { kind: 'push', provider: 'github', repository: { full_name: 'acme/widgets' }, branch: 'main' }
    const before = await db.selectFrom('runs').select('id').execute()
    expectInternal(await withoutTable('trigger_events', () => causes.call('POST', '/v1/git/events', event)))
    assert.deepEqual(await db.selectFrom('runs').select('id').execute(), before)
  })
})

test('503: a caller of whom nothing can be known learns nothing, and is answered again afterwards', async () => {
  const { headers } = await aMember(db, 'late', 'viewer', 'acme/web')
  const outage = await startOutage(testDatabase.url)
  const refused = await causes.call('GET', PATH, undefined, { headers })
  await outage.end()
  assert.deepEqual([refused.status, refused.body['code']], [503, 'authorization_unavailable'], refused.text)
  assert.ok(refused.headers['retry-after'])
  await until(
    'an answer',
    async () => (await causes.call('GET', PATH, undefined, { headers })).status,
    (status) => status === 200,
  )
})

test('503: the first delivery of a source does not wait for a secret that the database never gives', async () => {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const { url } = await aConnectedSource(causes, { name: 'fresh' }, { name: 'fresh' })
  const holding = testDatabase.database.transaction(async (tx) => {
    await sql`lock table secret_versions in access exclusive mode`.execute(tx)
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const refused = await deliver(causes, url)
  held.resolve()
  await holding
  assert.deepEqual([refused.status, refused.body['code']], [503, 'authorization_unavailable'], refused.text)
  await until(
    'an answer',
    async () => (await deliver(causes, url)).status,
    (status) => status !== 503,
  )
})
